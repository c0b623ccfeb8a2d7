import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { CallerKind } from './caller.ts';
import type { Fixture } from './fixture.ts';

/** A valid request for one cell of the matrix, about a record that no other cell consumes. */
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The sender. Default: the fixture's client of the kind. */
  readonly as?: HttpClient | undefined;
};

/** Prepares the request of an operation, with the records that it needs. */
export type Recipe = (fixture: Fixture, kind: CallerKind) => Promise<Partial<Omit<Request, 'method'>>>;

/** Requests by operation. */
export type Recipes = Readonly<Record<string, Recipe>>;
