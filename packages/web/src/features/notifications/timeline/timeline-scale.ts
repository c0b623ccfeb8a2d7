import type { RunTimeline } from '@svc/contract';

/** Span of time of the scale, in milliseconds since 1970. */
export type Scale = { readonly from: number; readonly to: number };

/** Maximum length of the visible wait, as a multiple of the run's duration. */
const waitShareMax = 4;

/** Returns the time at which a run started to wait for a worker. */
export const waitStartOf = ({ startedAt, dueAt, waitedMs }: RunTimeline): number =>
  startedAt === null || waitedMs === null ? Date.parse(dueAt) : Date.parse(startedAt) - waitedMs;

/**
 * Returns the span from the start of the wait to the end of the run. Cuts a wait that is much longer than the run, and
 * excludes repeated attempts, so that the bars of the run remain visible.
 */
export function scaleOf(run: RunTimeline): Scale {
  const started = Date.parse(run.startedAt ?? run.dueAt);
  const ends = [
    run.finishedAt,
    ...run.attempts.filter(({ origin }) => origin === 'Run').map(({ to }) => to),
  ].flatMap((time) => (time === null ? [] : [Date.parse(time)]));
  const statementEnds = run.statements.map((statement) => Date.parse(statement.from) + statement.durationMs);
  const to = Math.max(started + 1, ...ends, ...statementEnds);
  return { from: Math.max(waitStartOf(run), started - waitShareMax * (to - started)), to };
}

const widthMin = 0.6;

/**
 * Returns the place of a bar in percent of the scale. Undefined outside the scale. `isCut`: the bar continues outside.
 */
export function barOf(
  { from, to }: Scale,
  began: number,
  ended: number,
): { readonly left: number; readonly width: number; readonly isCut: boolean } | undefined {
  if (ended < from || began > to) return undefined;
  const share = (time: number) => ((Math.min(Math.max(time, from), to) - from) / (to - from)) * 100;
  const width = Math.max(widthMin, share(ended) - share(began));
  return { left: Math.min(share(began), 100 - width), width, isCut: began < from || ended > to };
}
