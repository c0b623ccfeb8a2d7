import type { Trace } from '../../../src/api/traces.ts';
import type { Json } from './json.ts';
import { states, stateTone, type Tone } from './states.ts';

type Job = Json<Trace>['jobs'][number];

/** Segment of a bar. */
export type Stretch = {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly tone: Tone;
  /** True for waiting time, which is drawn light. Running time is drawn solid. */
  readonly isWaiting: boolean;
  readonly words: string;
  /** True for a segment that has not ended, and therefore has no end to draw. */
  readonly isOpen?: boolean;
};

/** Row of a timeline: a request or a job. */
export type TimelineRow = {
  readonly id: string;
  readonly kind: 'call' | 'job';
  readonly depth: number;
  readonly name: string;
  readonly state: string;
  readonly tone: Tone;
  readonly to: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly stretches: readonly Stretch[];
};

export type Timeline = {
  readonly rows: readonly TimelineRow[];
  readonly fromMs: number;
  readonly untilMs: number;
};

const ms = (at: string): number => new Date(at).getTime();

function toneOf(outcome: string | null): Tone {
  const state = states.find((one) => one === outcome);
  return state ? stateTone[state] : outcome === null ? 'blue' : 'amber';
}

function stretchesOf(job: Job, nowMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  let fromMs = ms(job.createdAt);
  if (job.kind !== 'Job') {
    const untilMs = job.finishedAt === null ? nowMs : ms(job.finishedAt);
    return [{ fromMs, untilMs, tone: stateTone[job.state], isWaiting: true, words: 'Its members' }];
  }
  for (const attempt of [...job.attempts].sort((a, b) => ms(a.startedAt) - ms(b.startedAt))) {
    const startMs = Math.max(fromMs, ms(attempt.startedAt));
    if (startMs > fromMs) {
      stretches.push({ fromMs, untilMs: startMs, tone: 'neutral', isWaiting: true, words: 'Waited' });
    }
    const untilMs = Math.max(startMs, attempt.finishedAt === null ? nowMs : ms(attempt.finishedAt));
    const words = `Attempt ${attempt.attempt}: ${attempt.outcome ?? 'runs'}`;
    stretches.push({ fromMs: startMs, untilMs, tone: toneOf(attempt.outcome), isWaiting: false, words });
    fromMs = untilMs;
  }
  const isOpen = job.finishedAt === null && job.state !== 'Processing';
  if (isOpen)
    stretches.push({
      fromMs,
      untilMs: nowMs,
      tone: 'neutral',
      isWaiting: true,
      words: 'Waits',
      isOpen: true,
    });
  return stretches;
}

/** Returns the rows of a trace: requests first, then jobs below their origin, in the order of their creation. */
export function timelineOf(trace: Json<Trace>, nowMs: number): Timeline {
  const jobIds = new Set(trace.jobs.map(({ id }) => id));
  const parentOf = (job: Job): string | null =>
    [job.spawnedBy, job.batchId, job.parentId].find((id) => id !== null && jobIds.has(id)) ?? null;
  const below = Map.groupBy(trace.jobs, parentOf);
  const calls: TimelineRow[] = trace.calls.map((call) => ({
    id: call.id,
    kind: 'call',
    depth: 0,
    name: `${call.method} ${call.routeTemplate}`,
    state: `Status ${call.statusCode}`,
    tone: call.outcome === 'Failed' ? 'red' : 'green',
    to: `/endpoints/${call.endpointId}`,
    query: { call: call.id, application: call.application ?? undefined },
    stretches: [
      {
        fromMs: ms(call.at),
        untilMs: ms(call.at) + call.durationMs,
        tone: call.outcome === 'Failed' ? 'red' : 'green',
        isWaiting: false,
        words: 'Request',
      },
    ],
  }));
  const rows: TimelineRow[] = [...calls];
  const placed = new Set<string>();
  const place = (job: Job, depth: number): void => {
    // Prevents infinite recursion for jobs that reference each other.
    if (placed.has(job.id)) return;
    placed.add(job.id);
    rows.push({
      id: job.id,
      kind: 'job',
      depth,
      name: job.name,
      state: job.state,
      tone: stateTone[job.state],
      to: `/jobs/${job.id}`,
      query: {},
      stretches: stretchesOf(job, nowMs),
    });
    for (const child of below.get(job.id) ?? []) place(child, depth + 1);
  };
  for (const job of below.get(null) ?? []) place(job, calls.length > 0 ? 1 : 0);
  for (const job of trace.jobs) place(job, 0);
  // Waiting jobs have no end and must not extend the time axis, or all other bars would become too small.
  const ended = rows.flatMap(({ stretches }) => stretches.filter(({ isOpen }) => !isOpen));
  const edges = ended.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]);
  const starts = rows.flatMap(({ stretches }) => stretches.map(({ fromMs }) => fromMs));
  const fromMs = Math.min(...starts, nowMs);
  const lastMs = edges.length > 0 ? Math.max(...edges, ...starts) : nowMs;
  return { rows, fromMs, untilMs: Math.max(lastMs, fromMs + 1) };
}
