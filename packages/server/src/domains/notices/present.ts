import { type Notice, plural } from '@svc/contract';
import { commentForReaders } from '../run-history/index.ts';
import { standInFact } from './stand-in.ts';
import type { NoticeRow } from './store.ts';

/** Returns the text of a notice: one to three sentences. */
export function textOfNotice(notice: NoticeRow): string {
  const text = textOfKind(notice);
  return notice.facts[standInFact] === true
    ? `${text} You get this because the ${subjectWord(notice)} has no owner who can read it.`
    : text;
}

/** Returns the kind in words: `MigrationJob` becomes "migration job". */
const subjectWord = ({ subjectKind }: NoticeRow): string =>
  subjectKind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

function textOfKind({ kind, subjectName: queryName, facts }: NoticeRow): string {
  switch (kind) {
    case 'RunFailed':
      return `A run of "${queryName}" failed. ${reasonText(facts)}`.trim();
    case 'RecipientGone':
      return `The destination of the recipient "${facts['recipientName']}" is gone for good: it answered 410 to "${queryName}" and is not tried again by itself. Enter another destination, or take the recipient off the subscription.`;
    case 'RowsUnrouted':
      return `A run of "${queryName}" found ${plural(numberOf(facts['count']), 'row')} that nobody got: no route of the subscription names their value. Add routes, or name who gets all others.`;
    case 'SubscriptionStopped':
      return `The subscription to "${queryName}" was stopped. ${reasonText(facts)}`.trim();
    case 'MigrationFailed':
      return `A copy of the migration job "${queryName}" failed (${String(facts['reason'])}); it is not tried again by itself.`;
    case 'QueryBroken':
      return `The query "${queryName}" can no longer run: the schema of its data source changed. Its page shows what the engine said.`;
    case 'ContractError':
      return `The data contract "${queryName}" could not be judged. ${errorText(facts['reason'])}`;
    case 'ContractFailed':
      return `${contractText(queryName, facts)} ${unsentText(facts)}`;
    case 'ContractRecovered':
      return `The data contract "${queryName}" passes again.`;
    case 'KeyExpires':
      return `Your API key "${queryName}" expires in less than ${daysText(facts)}. Replace it on the page API keys.`;
    case 'ActorFailed':
      return `The AI actor "${queryName}" failed three times and no longer thinks. The last time: ${String(facts['failure'])}`;
    case 'ActorPaused':
      return `The AI actor "${queryName}" is paused: its owner is disabled or may not write in its project any more.`;
    case 'AccuracyDropped':
      return `An evaluation of the project "${queryName}" found ${facts['accuracy']} % of the answers right; ${facts['minAccuracy']} % are wanted. The page Evaluation shows which questions went wrong.`;
    case 'AccuracyRecovered':
      return `Evaluations of the project "${queryName}" are as good as wanted again: ${facts['accuracy']} % of the answers are right, ${facts['minAccuracy']} % are wanted.`;
    case 'EvaluationPaused':
      return `The scheduled evaluation of the project "${queryName}" is paused: who saved it is disabled or no Admin any more. An Admin who saves it takes it over.`;
    case 'LlmBudget':
      return `${facts['percent']} % of what the language model may ${facts['isMoney'] === true ? 'cost' : 'use'} in ${facts['month']} is spent. ${facts['percent'] === 100 ? 'Calls that do not fit are refused until the next month (UTC), or until the limit is raised in the admin settings.' : 'The limit is in the admin settings.'}`;
    case 'ClockSetBack':
      return `The clock of the database was ${plural(numberOf(facts['minutes']), 'minute')} ahead and was set back. ${plural(numberOf(facts['scheduleCount']), 'schedule continues', 'schedules continue')} from the present time. Let the machine follow a time server.`;
    case 'TaskOpened':
      return facts['of'] === 'Rules'
        ? `A task was opened: the data contract "${queryName}" failed, ${countText(facts)} did not pass.`
        : `A task was opened: "${queryName}" found ${countText(facts)}.`;
    case 'TaskAssigned':
      return facts['assigneeName'] === null
        ? `${byText(facts)} took the task "${queryName}" off its assignee. It is unassigned now.`
        : `${byText(facts)} assigned the task "${queryName}" to ${facts['assigneeName']}.`;
    case 'TaskCommented':
      return `${byText(facts)} commented on the task "${queryName}".`;
    case 'TaskCountChanged':
      return `The task "${queryName}" has ${countText(facts)} now; it had ${facts['before']}.`;
    case 'TaskWoke':
      return facts['count'] === undefined
        ? `The task "${queryName}" is no longer snoozed.`
        : `The task "${queryName}" is no longer snoozed: it has ${countText(facts)} now.`;
    case 'TaskOverdue':
      return `The task "${queryName}" is overdue: it was to be resolved by ${inWords(facts['dueAt'])}.`;
    case 'TaskResolved':
      return facts['isAutomatic'] === true
        ? `The task "${queryName}" is resolved: ${facts['of'] === 'Rules' ? 'the contract holds again' : 'a run found no rows any more'}.`
        : `${byText(facts)} resolved the task "${queryName}".`;
    case 'TaskReopened':
      return `${byText(facts)} reopened the task "${queryName}".`;
    case 'RunMissed':
      return missedText(`of "${queryName}"`, 'run', facts);
    case 'RunOverlapped':
      return `A run of "${queryName}" was skipped: the previous run was still running. ${takenText(facts)} Choose a longer interval, or let runs queue.`;
    case 'EvaluationMissed':
      return missedText(`of the data contract "${queryName}"`, 'evaluation', facts);
    case 'MigrationMissed':
      return missedText(`of the migration job "${queryName}"`, 'copy', facts);
  }
}

const takenText = ({ runSeconds, intervalSeconds, isUnderWay }: Readonly<Record<string, unknown>>): string =>
  isUnderWay === true
    ? `The run has taken ${runSeconds} s so far, the interval is ${intervalSeconds} s.`
    : `The run takes ${runSeconds} s, the interval is ${intervalSeconds} s.`;

/** Returns a fact as a number, or 0. Facts are JSON, and an earlier version may have stored them. */
const numberOf = (fact: unknown): number => (typeof fact === 'number' ? fact : 0);

const plurals = { run: 'runs', copy: 'copies', evaluation: 'evaluations' } as const;

function missedText(
  of: string,
  what: keyof typeof plurals,
  { missedCount, firstDueAt, lastDueAt }: Readonly<Record<string, unknown>>,
): string {
  const when =
    firstDueAt === lastDueAt
      ? `due at ${inWords(firstDueAt)}`
      : `due from ${inWords(firstDueAt)} to ${inWords(lastDueAt)}`;
  return missedCount === 1
    ? `${what === 'evaluation' ? 'An' : 'A'} ${what} ${of} did not start in time: it was ${when}.`
    : `${plural(numberOf(missedCount), what, plurals[what])} ${of} did not start in time: they were ${when}.`;
}

const unsentText = ({ hasNoRecipient }: Readonly<Record<string, unknown>>): string =>
  hasNoRecipient === true
    ? 'The contract has no recipients. Add some to send its alerts to others.'
    : 'The alert did not reach every recipient. The page of the run shows why.';

const daysText = ({ endsWithinDays }: Readonly<Record<string, unknown>>): string =>
  endsWithinDays === 1 ? 'a day' : plural(numberOf(endsWithinDays), 'day');

const namedRulesMax = 3;

/** Returns the verdict, such as: The data contract "Orders" failed: 2 rules did not pass (Total, Status). */
function contractText(name: string, { status, brokenRules }: Readonly<Record<string, unknown>>): string {
  const rules = Array.isArray(brokenRules) ? brokenRules.map(String) : [];
  const more = rules.length > namedRulesMax ? ', …' : '';
  const verdict = `The data contract "${name}" ${status === 'Warned' ? 'warns' : 'failed'}`;
  if (rules.length === 0) return `${verdict}: its score is too low.`;
  return `${verdict}: ${plural(rules.length, 'rule')} did not pass (${rules.slice(0, namedRulesMax).join(', ')}${more}).`;
}

/** Explains why a contract could not be evaluated. */
const errorText = (reason: unknown): string =>
  reason === 'SourceNotLinked'
    ? 'Its data source is no longer linked to its project.'
    : reason === 'TableUnknown'
      ? 'The table does not exist in the data source.'
      : reason === 'SourceUnreachable'
        ? 'Its data source could not be reached. Test the connection.'
        : 'A rule could not be evaluated, which says nothing about the data. The page of the contract shows the reason.';

const countText = ({ count, of }: Readonly<Record<string, unknown>>): string =>
  plural(numberOf(count), of === 'Rules' ? 'rule' : 'row');
const byText = ({ by }: Readonly<Record<string, unknown>>): string =>
  typeof by === 'string' ? by : 'Somebody';

/** Returns a time such as "2026-11-22 07:30:20 UTC". Readers have different time zones, so texts use UTC. */
const inWords = (time: unknown): string =>
  String(time)
    .replace('T', ' ')
    .replace(/(\.\d+)?Z$/, ' UTC');

function reasonText({ reason, ...detail }: Readonly<Record<string, unknown>>): string {
  // Only users who may read the project, and so its queries, receive the notice and its mail.
  return commentForReaders({ reason: typeof reason === 'string' ? reason : null, detail }) ?? '';
}

export const presentNotice = (row: NoticeRow): Notice => ({
  id: row.id,
  kind: row.kind,
  text: textOfNotice(row),
  subjectKind: row.subjectKind,
  subjectId: row.subjectId,
  subjectName: row.subjectName,
  notificationId: row.runId,
  projectId: row.projectId,
  createdTime: row.createdTime.toISOString(),
  readAt: row.readAt?.toISOString() ?? null,
});
