import { Pool } from 'undici';
import { runSubject } from '../run/subject-process.ts';

/** A bare connection pool that posts the same body repeatedly: no ledger, no checks of destinations, no rendering. */
const connections = 50;

type Posting = {
  readonly origin: string;
  readonly certificate: string;
  readonly body: string;
  readonly count: number;
};

async function post({ origin, certificate, body, count }: Posting): Promise<void> {
  const pool = new Pool(origin, { connections, connect: { ca: certificate } });
  const send = async (number: number) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await pool.request({ path: `/hook/${number}`, method: 'POST', headers, body });
    await answer.body.dump();
  };
  await Promise.all(Array.from({ length: count }, (_, number) => send(number)));
  await pool.close();
}

runSubject(async () => ({ ready: {}, act: post, stop: async () => undefined }));
