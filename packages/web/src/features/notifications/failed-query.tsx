import type { NotificationDetail } from '@svc/contract';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import classes from './what-went-wrong.module.css';

type Failure = NonNullable<NotificationDetail['failure']>;

/** Characters of a line of SQL on each side of the word at fault. */
const shownCharactersMax = 200;

/** Why the query of a run failed: the database's message, its place and the line of SQL. */
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

/** The line, with the word at the place marked. */
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
