import { duration } from '../../lib/format.ts';
import type { Job } from '../../lib/requests.ts';
import { states, stateTone, stateWord, type Tone } from '../../lib/states.ts';
import { Status } from '../../parts/controls.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

type Attempt = Job['attempts'][number];
type Entry = Job['history'][number];

const outcomeTone = (outcome: string | null): Tone => {
  const state = states.find((one) => one === outcome);
  if (state) return stateTone[state];
  return outcome === null ? 'blue' : 'amber';
};
const outcomeWord = (outcome: string): string => {
  const state = states.find((one) => one === outcome);
  return state ? stateWord[state] : outcome.replace('CancelRequested', 'Cancel requested');
};

const attemptColumns: readonly Column<Attempt>[] = [
  { key: 'attempt', title: 'Attempt', width: 'narrow', cell: ({ attempt }) => String(attempt) },
  {
    key: 'outcome',
    title: 'Outcome',
    width: 'middle',
    cell: ({ outcome }) => (
      <Status tone={outcomeTone(outcome)}>{outcome === null ? 'Runs' : outcomeWord(outcome)}</Status>
    ),
  },
  {
    key: 'started',
    title: 'Started',
    width: 'middle',
    from: 480,
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
  {
    key: 'took',
    title: 'Duration',
    align: 'right',
    width: 'narrow',
    cell: ({ startedAt, finishedAt }) =>
      finishedAt === null ? '—' : duration(new Date(finishedAt).getTime() - new Date(startedAt).getTime()),
  },
  {
    key: 'error',
    title: 'Error',
    from: 640,
    cell: ({ error }) => (
      <span className="truncate" title={error ?? ''}>
        {error?.split('\n')[0] ?? '—'}
      </span>
    ),
  },
];

const historyColumns: readonly Column<Entry>[] = [
  {
    key: 'event',
    title: 'What happened',
    width: 'wide',
    cell: ({ event }) => <Status tone={outcomeTone(event)}>{outcomeWord(event)}</Status>,
  },
  { key: 'at', title: 'When', width: 'middle', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'message',
    title: 'Note',
    from: 480,
    cell: ({ message, error }) => message ?? error?.split('\n')[0] ?? '',
  },
];

/** Attempts of a job. */
export const JobAttempts = ({ attempts }: { readonly attempts: readonly Attempt[] }) =>
  attempts.length > 0 && (
    <Section title="Attempts" isFlush>
      <Table
        label="Attempts"
        isBare
        columns={attemptColumns}
        rows={attempts}
        keyOf={({ attempt, startedAt }) => `${attempt} ${startedAt}`}
      />
    </Section>
  );

/** History of a job: each event with its time. */
export const JobHistory = ({ history }: { readonly history: readonly Entry[] }) =>
  history.length > 0 && (
    <Section title="History" isFlush>
      <Table
        label="History"
        isBare
        columns={historyColumns}
        rows={history}
        keyOf={({ at, event, attempt }) => `${at} ${event} ${attempt}`}
      />
    </Section>
  );
