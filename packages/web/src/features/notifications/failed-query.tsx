import type { NotificationDetail } from '@svc/contract';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import classes from './what-went-wrong.module.css';

type Failure = NonNullable<NotificationDetail['failure']>;

/** Maximum number of characters of a SQL line on each side of the marked word. */
const shownCharactersMax = 200;

/** Failure of a run's query: the database's message, its position and the line of SQL. */
export function FailedQuery({
  failure,
  queryId,
}: {
  readonly failure: Failure;
  readonly queryId: number | null;
}) {
  const { canWrite } = useRights();
  return (
    <section className={classes['comment']} aria-label="What happened">
      <h2 className={classes['title']}>{titleOf(failure)}</h2>
      <p className={classes['message']}>{failure.message}</p>
      {failure.sqlLine !== null && failure.column !== null && (
        <SqlLine line={failure.sqlLine} column={failure.column} />
      )}
      {canWrite && queryId !== null && (
        <LinkButton variant="filled" to={paths.editQuery(queryId)}>
          Edit query
        </LinkButton>
      )}
    </section>
  );
}

function titleOf({ stepOrder, line, column }: Failure): string {
  const where = stepOrder === null ? 'the final query' : `step ${stepOrder}`;
  return line === null
    ? `The query failed in ${where}`
    : `The query failed in ${where}, line ${line}, column ${column}`;
}

/** SQL line with the word at the position marked. */
function SqlLine({ line, column }: { readonly line: string; readonly column: number }) {
  const at = Math.min(Math.max(0, column - 1), line.length);
  const from = Math.max(0, at - shownCharactersMax);
  const word = /^(?:[\p{L}\p{N}_$]+|.)/u.exec(line.slice(at))?.[0] ?? '';
  const end = at + word.length;
  return (
    <pre className={classes['sql']}>
      {line.slice(from, at).trimStart()}
      {word === '' ? null : <mark>{word}</mark>}
      {line.slice(end, end + shownCharactersMax)}
    </pre>
  );
}
