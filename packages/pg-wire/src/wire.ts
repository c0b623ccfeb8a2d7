import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * The connection below a client of `pg`, as far as this package uses it: what submitted queries are handed. The types
 * that are declared of `pg` list none of it, so `contract.test.ts` asks the installed version for each of these.
 */
export type Wire = {
  /** The socket; the encrypted one once TLS stands. */
  readonly stream: Socket;
  /** Texts of the statements that the server has prepared, by their names. */
  readonly parsedStatements: Record<string, string | undefined>;
  /** Those that were sent to be prepared, and are not answered yet. */
  readonly submittedNamedStatements: Record<string, string | undefined>;
  /** Sends one or more statements as a simple query. */
  query(text: string): void;
  /** Ends what a `COPY ... FROM STDIN` reads. */
  endCopyFrom(): void;
  /** Refuses what a `COPY ... FROM STDIN` asks for. */
  sendCopyFail(reason: string): void;
  /** Ends the transaction of an exchange. */
  sync(): void;
  on(event: 'parameterStatus', hear: (told: ParameterStatus) => void): unknown;
  on(event: 'readyForQuery', hear: () => void): unknown;
  on(event: 'rowDescription', hear: (message: unknown) => void): unknown;
  on(event: 'errorMessage', hear: (error: { readonly code?: string }) => void): unknown;
  /** Told between the server's consent to TLS and the handshake. */
  once(event: 'sslconnect', hear: () => void): unknown;
};

/** A setting that the server reports by itself. */
export type ParameterStatus = { readonly parameterName: string; readonly parameterValue: string };

/** The connection below a client. */
export const wireOf = (client: pg.ClientBase): Wire =>
  (client as unknown as { readonly connection: Wire }).connection;
