import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { type CliContext, CommandFailure } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { plainLine } from './output/plain-text.ts';

/** Duration of `--wait` without a number. */
const defaultSeconds = 600;
const longestSeconds = 86_400;
const firstPauseMs = 200;
const longestPauseMs = 2_000;

/** Wait option of commands that start work. */
export const waitOption = [
  '--wait [seconds]',
  `wait for its end, ${defaultSeconds} s unless you say otherwise: 6 when it takes longer`,
] as const;

/** Parses the value of `--wait=SECONDS`. */
export function waitSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds > longestSeconds)
    throw new InvalidArgumentError(`Give seconds, at most ${longestSeconds}.`);
  return seconds;
}

/**
 * Polls until the work has ended, and reports each change on standard error.
 *
 * @param options.wait  value of the option: seconds, or true for the default.
 * @throws CommandFailure with the code for "timed out" if the work has not ended in time. The work continues.
 */
export async function waitForEnd<T>(
  { say, signal }: Pick<CliContext, 'say' | 'signal'>,
  options: {
    readonly wait: number | true;
    readonly read: () => Promise<T>;
    readonly hasEnded: (state: T) => boolean;
    readonly progress: (state: T) => string;
  },
): Promise<T> {
  const seconds = options.wait === true ? defaultSeconds : options.wait;
  const endsAt = performance.now() + seconds * 1_000;
  let printedProgress = '';
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
    const state = await options.read();
    const progress = plainLine(options.progress(state));
    if (progress !== printedProgress) say(progress);
    printedProgress = progress;
    if (options.hasEnded(state)) return state;
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) throw new CommandFailure(`Not over after ${seconds} s; it goes on.`, exitCodes.timedOut);
    await delay(Math.min(pauseMs, leftMs), undefined, { signal });
  }
}
