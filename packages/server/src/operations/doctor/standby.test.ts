import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { type StandbyPair, startStandbyPair } from '@svc/testkit/service/standby.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { lookAtStandby } from './standby.ts';

let pair: StandbyPair;
beforeAll(async () => {
  pair = await startStandbyPair();
});
afterAll(() => pair.stop());

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  return client;
}

async function look(at: pg.ClientConfig) {
  const primary = await connect(pair.testDatabase.connection);
  onTestFinished(() => primary.end());
  return lookAtStandby(primary, () => connect(at));
}

test('a standby is reported as Well while it is up to date, and as a problem if it lags or is unavailable', async () => {
  const standby = { connectionString: pair.standbyUrl };
  await pair.caughtUp();
  expect(await look(standby)).toMatchObject({ state: 'Well', remedy: null });
  await pair.pauseReplay();
  await pair.onPrimary('create table later (id int)');
  expect(await look(standby)).toMatchObject({
    state: 'Warning',
    text: 'The standby is more than 5 s late: everything is read from the primary.',
  });
  await pair.resumeReplay();
  await pair.killStandby();
  expect(await look(standby)).toMatchObject({
    state: 'Warning',
    text: expect.stringMatching(/^No connection: .*ECONNREFUSED/),
    remedy: expect.stringContaining('Svc:Database:ReadConnectionString'),
  });
});

test('another database and the primary itself are not accepted as a standby', async () => {
  const other = await createEmptyDatabase();
  onTestFinished(() => other.drop());
  expect(await look(other.connection)).toMatchObject({
    state: 'Fault',
    text: expect.stringContaining('another database'),
  });
  expect(await look(pair.testDatabase.connection)).toMatchObject({
    state: 'Warning',
    remedy: expect.stringContaining('Unset'),
  });
});
