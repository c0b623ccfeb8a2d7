import type { SilentTrialReport } from './silent-trial.ts';

const answeredMsLimit = 35_000;
const resumedMsLimit = 60_000;

/**
 * Evaluates a trial with silent sessions.
 *
 * @returns each exceeded limit as text. A trial without a silent session or a request proves nothing and fails too. A
 *   503 is not required: a silence without requests causes none.
 */
export function faultsOfSilence(report: SilentTrialReport): readonly string[] {
  const { silentSessions, requests, wrong, answeredMsMax, resumed, subscriptions, resumedMsMax } = report;
  const faults: readonly (readonly [isFault: boolean, text: string])[] = [
    [silentSessions === 0, 'No session went silent.'],
    [requests === 0, 'No request was sent.'],
    [wrong.length > 0, `${wrong.length} requests had neither a success nor a 503 with Retry-After.`],
    [answeredMsMax > answeredMsLimit, `A request was answered after ${answeredMsMax} ms.`],
    [resumed < subscriptions, `${subscriptions - resumed} subscriptions did not run again.`],
    [resumedMsMax > resumedMsLimit, `A subscription ran again after ${resumedMsMax} ms.`],
  ];
  return faults.flatMap(([isFault, text]) => (isFault ? [text] : []));
}
