import type { RunTimeline } from '@svc/contract';

/** The stretch of time that bars are drawn on, in milliseconds since 1970. */
export type Scale = { readonly from: number; readonly to: number };

/** Longest part of the wait that the scale shows, as a multiple of the run itself. */
const waitShareMax = 4;

/** When a run began to wait for its turn. */
export const waitStartOf = ({ startedAt, dueAt, waitedMs }: RunTimeline): number =>
  startedAt === null || waitedMs === null ? Date.parse(dueAt) : Date.parse(startedAt) - waitedMs;

/**
 * Returns the time from the begin of the wait to the end of the run. A wait that is much longer than the run is cut,
 * and attempts of hours later are outside, so that the bars of the run itself have a width.
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

/** Place of a bar in percent of the scale; undefined for a bar outside of it. `isCut`: the bar goes on outside. */
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
