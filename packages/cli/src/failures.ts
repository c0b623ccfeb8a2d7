import { SvcProblem } from '@svc/client';
import { CommandFailure } from './context.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Refusals until another user approves the change. */
const approvals = new Set([
  'change-waits',
  'change-awaiting-approval',
  'query-not-approved',
  'nobody-to-notify',
]);

/** Returns the exit code and the messages of a failed command. */
export function failureOf(error: unknown): { readonly code: number; readonly lines: readonly string[] } {
  if (error instanceof CommandFailure) return { code: error.exitCode, lines: [error.message] };
  if (error instanceof SvcProblem) return { code: codeOf(error), lines: linesOf(error) };
  return { code: exitCodes.failed, lines: [error instanceof Error ? error.message : String(error)] };
}

function codeOf({ status, code }: SvcProblem): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  return code !== undefined && approvals.has(code) ? exitCodes.awaitsApproval : exitCodes.failed;
}

function linesOf(problem: SvcProblem): string[] {
  const { status, code, traceId, errors, retryAfterSeconds } = problem;
  const about = [`status ${status}`, ...(code ? [code] : []), ...(traceId ? [`trace ${traceId}`] : [])];
  return [
    ...(problem.message === problem.problem.title ? [] : [problem.problem.title]),
    problem.message,
    ...errors.map(({ path, message }) => `  ${path}: ${message}`),
    ...(retryAfterSeconds === undefined ? [] : [`Try again in ${Math.ceil(retryAfterSeconds)} s.`]),
    ...(status === 401 ? ['Log in with svc login URL, or set SVC_KEY.'] : []),
    `(${about.join(', ')})`,
  ];
}
