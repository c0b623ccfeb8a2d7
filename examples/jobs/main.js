// The job library on its own: a small server that accepts invoices over HTTP and sends them in the background.
// DATABASE_URL=postgres://... PORT=3000 npm start
import http from 'node:http';
import {
  addEndpointObservability,
  answeringEndpoint,
  createEndpoints,
  createJobs,
  defineJob,
  enqueueingEndpoint,
  migrateJobs,
} from '@svc/jobs';
import pg from 'pg';

const say = (line) => process.stdout.write(`${line}\n`);
const write = (details, message) => say(`${message} ${JSON.stringify(details)}`);
const logger = { debug: () => undefined, info: write, warn: write, error: write };

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
pool.on('error', () => undefined);
const client = await pool.connect();
await migrateJobs(client);
client.release();

// A job: its name, the schema of its payload, and its handler.
const sendInvoice = defineJob({
  name: 'send-invoice',
  parse: (value) => {
    if (!Number.isInteger(value?.invoiceId)) throw new Error('invoiceId must be a whole number.');
    return { invoiceId: value.invoiceId, customer: String(value.customer ?? 'unknown') };
  },
  retry: { attemptsMax: 4, delaysMs: [200, 1_000, 5_000] },
  timeoutMs: 60_000,
  // One run at a time for each customer, and at most 100 starts a second.
  concurrency: { limit: 1, key: (invoice) => invoice.customer },
  rateLimit: { limit: 100, intervalMs: 1_000 },
});

const jobs = createJobs({ pool, logger });
jobs.handle(sendInvoice, async ({ invoiceId }, run) => {
  run.log(`sending invoice ${invoiceId}`);
  // Simulates a failure: the first attempt of every seventh invoice fails.
  if (invoiceId % 7 === 0 && run.attempt === 1) throw new Error('The printer is out of paper.');
  run.progress(1, 'sent');
});
await jobs.start();

// Over HTTP: one endpoint enqueues and answers 202 with a status URL, the other answers directly. Both are observed.
const observer = addEndpointObservability({ pool, logger }, (options) => {
  options.groupSelector = (request) => request.headers['x-customer'] ?? null;
  options.captureRequestBodies = 'OnFailure';
});
const endpoints = createEndpoints({ jobs, observer, logger });
endpoints.map(
  [
    enqueueingEndpoint({ method: 'POST', route: '/invoices', operation: 'sendInvoice', job: sendInvoice }),
    answeringEndpoint({
      method: 'GET',
      route: '/invoices/waiting',
      operation: 'countWaiting',
      parse: (value) => value,
      handler: async () => (await jobs.read.counts()).states,
    }),
  ],
  { prefix: '/api' },
);

const server = http.createServer((request, response) => endpoints.handle(request, response));
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  say(`Listening on http://127.0.0.1:${server.address().port}`);
});

process.once('SIGTERM', async () => {
  server.close();
  server.closeIdleConnections();
  await jobs.stop();
  await observer.stop();
  await pool.end();
});
