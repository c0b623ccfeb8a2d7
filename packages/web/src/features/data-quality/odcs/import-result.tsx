import type { OdcsImport } from '@svc/contract';
import { plural } from '../../../lib/format.ts';
import { Status, type Tone } from '../../../ui/record/status.tsx';
import { tableName } from '../table-name.ts';
import classes from './import-result.module.css';

/** Result of an import: the contracts, and each part of the document that is read, retained or refused. */
export const ImportResult = ({ result }: { readonly result: OdcsImport }) => (
  <section className={classes['result']} aria-label="Result">
    <ul>
      {result.contracts.map((each) => (
        <li key={`${each.schemaName} ${each.tableName}`}>
          <strong>{each.name}</strong> of <code>{tableName(each)}</code>, {plural(each.ruleCount, 'rule')}
          {!each.tableExists && '. The table does not exist yet: evaluations report an error until it does.'}
        </li>
      ))}
    </ul>
    <Notes tone="red" title="Refused" notes={result.refused} isOpen />
    <Notes tone="neutral" title="Kept, not evaluated" notes={result.kept} />
    <Notes tone="green" title="Read" notes={result.read} />
  </section>
);

type NotesProps = {
  readonly tone: Tone;
  readonly title: string;
  readonly notes: OdcsImport['read'];
  readonly isOpen?: boolean;
};

const Notes = ({ tone, title, notes, isOpen = false }: NotesProps) =>
  notes.length > 0 && (
    <details open={isOpen}>
      <summary>
        <Status tone={tone}>{`${title} (${notes.length})`}</Status>
      </summary>
      <ul>
        {notes.map(({ path, note }) => (
          <li key={`${path} ${note}`}>
            <code>{path || '/'}</code> {note}
          </li>
        ))}
      </ul>
    </details>
  );
