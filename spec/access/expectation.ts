import type { CallerKind } from './caller.ts';

/**
 * What an operation answers to a caller who sends a sound request:
 * - `passes`: a success (the row may name other statuses that count as one);
 * - a status: exactly this refusal;
 * - `open`: the source does not decide; only a server error is wrong.
 */
export type Expectation = 'passes' | 400 | 401 | 403 | 404 | 'open';

/** The expectation for every kind of caller. */
export type Expectations = Readonly<Record<CallerKind, Expectation>>;

/** One operation of the REST API and what each kind of caller gets from it. */
export type AccessRow = {
  /** Method and path as in the contract: `GET /svc/api/projects/{id}`. */
  readonly operation: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  /** Tells two rows about one operation apart, where its answer depends on what is asked for. */
  readonly variant?: string;
  readonly expect: Expectations;
  /** One sentence: which rule of the source decides. */
  readonly why: string;
  /** Statuses that count as `passes`; any success without it. */
  readonly passesWith?: readonly number[];
};

type Options = Pick<AccessRow, 'variant' | 'passesWith'>;

/** Writes one row. */
export const row = (
  operation: AccessRow['operation'],
  expect: Expectations,
  why: string,
  options: Options = {},
): AccessRow => ({ operation, expect, why, ...options });

/** The same expectations with some callers changed. */
export const but = (base: Expectations, changes: Partial<Expectations>): Expectations => ({
  ...base,
  ...changes,
});

/** The same expectation for everybody. */
export const everybody = (expectation: Expectation): Expectations => ({
  anonymous: expectation,
  noRole: expectation,
  viewer: expectation,
  editor: expectation,
  projectAdmin: expectation,
  admin: expectation,
  superAdmin: expectation,
  userAdmin: expectation,
  securityAdmin: expectation,
  dataSourceAdmin: expectation,
  auditor: expectation,
  approver: expectation,
  migrationOperator: expectation,
  hostPrincipal: expectation,
  readKey: expectation,
  executeKey: expectation,
  executeKeyOfDemotedOwner: expectation,
  bearerToken: expectation,
  mcpCaller: expectation,
  memberOfAnotherProject: expectation,
});
