import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:tls';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll } from 'vitest';
import type { ExecuteOptions } from '../../port.ts';
import { answer, dialTo } from '../../testing/hostile-http.ts';
import { rowsOf } from '../../testing/results.ts';
import { createBigQueryConnector } from '../index.ts';
import type { BigQueryConnection } from '../settings.ts';

/** Answers of the service: to both sign-ins, to the dry run, to the query, and to all later requests. */
export type Script = {
  readonly token: Buffer;
  readonly dryRun: Buffer;
  readonly query: Buffer | undefined;
  readonly results: Buffer | undefined;
};
export const token = 'ya29.pl4nted-s3cret';

const wholes = new WeakMap<Buffer, boolean>();
/** Returns true for unchanged answers, which state their own length. */
const isWhole = (response: Buffer): boolean => wholes.get(response) ?? false;
export const unchanged = (response: Buffer): Buffer => {
  wholes.set(response, true);
  return response;
};

export const json = (value: unknown, status = 200): Buffer =>
  unchanged(answer(JSON.stringify(value), {}, status));
const cancelled = json({});
export const schema = {
  fields: [
    { name: 'a', type: 'INTEGER' },
    { name: 'b', type: 'STRING' },
  ],
};
export const row = (a: string | null, b: string | null) => ({ f: [{ v: a }, { v: b }] });
export const jobReference = { projectId: 'svc-tests', jobId: 'job_1', location: 'EU' };
export const good = {
  token: { access_token: token, expires_in: 3_599, token_type: 'Bearer' },
  dryRun: {
    status: { state: 'DONE' },
    statistics: { query: { statementType: 'SELECT', totalBytesProcessed: '1', schema } },
  },
  query: {
    jobReference,
    jobComplete: true,
    schema,
    totalRows: '3',
    pageToken: 'p',
    rows: [row('1', 'x'), row('9007199254740993', null)],
  },
  results: { jobReference, jobComplete: true, schema, totalRows: '3', rows: [row('-2', '')] },
};
export const goodRows = [
  [1, 'x'],
  ['9007199254740993', null],
  [-2, ''],
];
export const query = (change: object): Partial<Script> => ({ query: json({ ...good.query, ...change }) });
export const further = (change: object): Partial<Script> => ({
  results: json({ ...good.results, ...change }),
});
export const goodText = JSON.stringify(good.query);
/** Result with one row. */
export const single = (
  values: readonly string[],
  names: readonly string[] = values.map((_value, at) => `c${at}`),
  type = 'STRING',
): Buffer =>
  json({
    jobReference,
    jobComplete: true,
    totalRows: '1',
    schema: { fields: names.map((name) => ({ name, type })) },
    rows: [{ f: values.map((v) => ({ v })) }],
  });

/** Valid answers to all requests. */
export const validScript = {
  token: json(good.token),
  dryRun: json(good.dryRun),
  query: json(good.query),
  results: json(good.results),
} satisfies Script;

/** Selects the answer by the first line of the request. */
function answerOf({ token: signIn, dryRun, query: run, results }: Script, head: string): Buffer | undefined {
  const answers: readonly (readonly [RegExp, Buffer | undefined])[] = [
    [/^POST \/token /, signIn],
    [/^POST \S+\/jobs HTTP/, dryRun],
    [/^POST \S+\/queries HTTP/, run],
    [/^GET \S+\/queries\//, results],
    [/^POST \S+\/cancel/, cancelled],
  ];
  return answers.find(([line]) => line.test(head))?.[1];
}

/** Starts a server with scripted answers in place of BigQuery, for the tests of a file. */
export function useHostileBigQuery() {
  const connector = createBigQueryConnector();
  let scriptOf: () => Script = () => validScript;
  let server: Server;
  let connection: BigQueryConnection;

  beforeAll(async () => {
    const authority = await createTestAuthority();
    const identity = await authority.issue('bigquery.googleapis.com', 'oauth2.googleapis.com');
    server = createServer(identity, (socket) => {
      const script = scriptOf();
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        const response = answerOf(script, chunk.toString('latin1'));
        if (response) socket.write(response);
        // Closes after a changed answer: a client that waits for its missing bytes would wait for the time limit.
        if (response && !isWhole(response)) socket.end();
      });
    }).listen(0, '127.0.0.1');
    server.on('tlsClientError', () => undefined);
    await once(server, 'listening');
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    connection = connector.settings.parse({
      project: 'svc-tests',
      caCertificate: authority.certificate,
      keyFile: JSON.stringify({
        type: 'service_account',
        private_key_id: 'k',
        private_key: privateKey,
        client_email: 'reader@svc-tests.iam.gserviceaccount.com',
      }),
    });
  });
  afterAll(() => {
    server.close();
  });

  const dial = dialTo(() => server);
  const execute = (change: Partial<ExecuteOptions> = {}, engine = connector) =>
    engine.execute(
      connection,
      { sql: 'select a, b from t' },
      {
        dial,
        signal: new AbortController().signal,
        timeoutMs: 3_000,
        maxRows: 1_000,
        maxBytes: 100_000,
        maxCellBytes: 10_000,
        ...change,
      },
    );
  const read = (change: Partial<ExecuteOptions> = {}, engine = connector) =>
    execute(change, engine).then(rowsOf);
  const scriptBy = (next: () => Script) => {
    scriptOf = next;
  };
  /** Sets the answers: the valid ones, with changes. */
  const script = (change: Partial<Script> = {}) => scriptBy(() => ({ ...validScript, ...change }));

  return { server: () => server, connection: () => connection, execute, read, script, scriptBy };
}
