import type { ChangeDetail, RecipientView } from '@svc/contract';
import { words } from '../../lib/format.ts';
import classes from './comparison.module.css';

type Row = {
  readonly label: string;
  readonly before: string;
  readonly after: string;
  readonly isCode: boolean;
};

const none = '';

function valuesOf(view: RecipientView | null): ReadonlyMap<string, string> {
  if (!view?.isReadable) return new Map();
  return new Map([
    ['Channel', view.notificationType === null ? none : words(view.notificationType)],
    ...view.parts.map(({ label, value }) => [label, value] as const),
    ...view.headers.map(({ name, fingerprint }) => [`Header ${name}`, `fingerprint ${fingerprint}`] as const),
    ['Fingerprint of all', view.fingerprint ?? none],
  ]);
}

/** Pairs both sides line by line, in the order of the newer side. */
function rowsOf({ before, after }: ChangeDetail): readonly Row[] {
  const [left, right] = [valuesOf(before), valuesOf(after)];
  const fingerprint = 'Fingerprint of all';
  const labels = [...new Set([...right.keys(), ...left.keys()])].filter((label) => label !== fingerprint);
  return [...labels, fingerprint].map((label) => ({
    label,
    before: left.get(label) ?? none,
    after: right.get(label) ?? none,
    isCode: label !== 'Channel',
  }));
}

const unreadable = 'Cannot be decrypted any more';

function Side({ row, text, view }: { row: Row; text: string; view: RecipientView | null }) {
  if (view === null) return <span className="soft">Nothing before</span>;
  if (!view.isReadable) return <span className="soft">{unreadable}</span>;
  if (text === none) return <span className="soft">None</span>;
  return row.isCode ? <code>{text}</code> : <span>{text}</span>;
}

/** Compares the approved version with the requested version. A changed line is marked, also for screen readers. */
export function Comparison({ record }: { readonly record: ChangeDetail }) {
  const isComparable = record.before?.isReadable === true && record.after.isReadable;
  return (
    <div className="stack-tight">
      <div className={classes['frame']}>
        <table className={classes['table']} aria-label="Before and after">
          <colgroup>
            <col />
            <col />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(record).map((row) => {
              const isChanged = isComparable && row.before !== row.after;
              return (
                <tr key={row.label} data-changed={isChanged}>
                  <th scope="row">
                    {row.label}
                    {isChanged && <span className="visually-hidden"> (changed)</span>}
                  </th>
                  <td>
                    <Side row={row} text={row.before} view={record.before} />
                  </td>
                  <td>
                    <Side row={row} text={row.after} view={record.after} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className="soft">
        Secrets are masked. A fingerprint shows whether two masked values are the same, and nothing else about
        them.
      </p>
      {record.looksEqual && (
        <p className={classes['note']} role="note">
          Both sides look the same, but the fingerprints differ: something masked has changed. Approving needs
          a comment on how you checked it.
        </p>
      )}
    </div>
  );
}
