import type { CallerKind } from './caller.ts';

/**
 * Expected response of an operation to a valid request:
 * - `passes`: a success (the row may name other statuses that count as success);
 * - a status: exactly this refusal;
 * - `open`: the source does not decide; only a server error is wrong.
 */
export type Expectation = 'passes' | 400 | 401 | 403 | 404 | 'open';

/** The expectation for every kind of caller. */
export type Expectations = Readonly<Record<CallerKind, Expectation>>;

/** One operation of the REST API, with the expected response for each kind of caller. */
export type AccessRow = {
  /** Method and path as in the contract: `GET /svc/api/projects/{id}`. */
  readonly operation: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  /** Distinguishes rows of one operation whose response depends on the request. */
  readonly variant?: string;
  readonly expect: Expectations;
  /** The rule of the source that decides, in one sentence. */
  readonly why: string;
  /** Statuses that count as `passes`. Default: any success. */
  readonly passesWith?: readonly number[];
};

type Options = Pick<AccessRow, 'variant' | 'passesWith'>;

export const row = (
  operation: AccessRow['operation'],
  expect: Expectations,
  why: string,
  options: Options = {},
): AccessRow => ({ operation, expect, why, ...options });

/** Returns the same expectations with changes for some callers. */
export const but = (base: Expectations, changes: Partial<Expectations>): Expectations => ({
  ...base,
  ...changes,
});

/** Returns the same expectation for all kinds of callers. */
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
