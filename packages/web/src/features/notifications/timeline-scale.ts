import type { RunTimeline } from '@svc/contract';

/** The stretch of time that bars are drawn on, in milliseconds since 1970. */
export type Scale = { readonly from: number; readonly to: number };

/**
 * From the start of a run to its end: a long wait before it, and attempts that are made hours later, lie outside, so
 * that what happened in the run itself stays to be seen.
 */
export function scaleOf(run: RunTimeline): Scale {
  const from = Date.parse(run.startedAt ?? run.dueAt);
  const ends = [
    run.finishedAt,
    ...run.attempts.filter(({ origin }) => origin === 'Run').map(({ to }) => to),
  ].flatMap((time) => (time === null ? [] : [Date.parse(time)]));
  const statementEnds = run.statements.map((statement) => Date.parse(statement.from) + statement.durationMs);
  return { from, to: Math.max(from + 1, ...ends, ...statementEnds) };
}

const widthMin = 0.6;

/** Where a bar lies, in percent of the scale; undefined for what lies outside. */
export function barOf(
  { from, to }: Scale,
  began: number,
  ended: number,
): { readonly left: number; readonly width: number } | undefined {
  if (ended < from || began > to) return undefined;
  const share = (time: number) => ((Math.min(Math.max(time, from), to) - from) / (to - from)) * 100;
  const width = Math.max(widthMin, share(ended) - share(began));
  return { left: Math.min(share(began), 100 - width), width };
}
