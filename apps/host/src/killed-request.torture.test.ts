import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Answer, HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { type HostProcess, startHost } from '@svc/testkit/service/host-process.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { encryptionKey, setupToken } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';

const rounds = 12;
const projects = '/svc/api/projects';
/** Name of the test's own sessions in the database. */
const ownName = 'killed-request test';

/** State of a request after a kill: nothing stored, only its key, its key and its record, or also the response. */
type Left = 'Nothing' | 'KeyAlone' | 'KeyAndRecord' | 'Answer';

async function startOnDatabase(): Promise<{ host: HostProcess; database: pg.Pool }> {
  const { connection, drop } = await createMigratedDatabase();
  onTestFinished(drop);
  const { host: address, port, user, password, database: name } = connection;
  const host = await startHost({
    withDemo: false,
    settings: {
      'Svc:Database:ConnectionString': `postgres://${user}:${encodeURIComponent(password)}@${address}:${port}/${name}`,
      'Svc:EncryptionKey': encryptionKey,
      'Svc:UserManagement:SetupToken': setupToken,
      'Svc:Host:Roles': ['Web'],
    },
  });
  onTestFinished(() => host.stop());
  const database = new pg.Pool({ ...connection, max: 2, application_name: ownName });
  onTestFinished(() => database.end());
  return { host, database };
}

/**
 * Places around the commit at which the service pauses for a second. Without the pause a kill would rarely hit them.
 */
const places = {
  beforeRecord: { table: 'svc.projects', event: 'insert' },
  behindRecord: { table: 'svc.idempotent_requests', event: 'update' },
} as const;
type Place = keyof typeof places;

/** Adds the pauses, all disabled. Returns a function that enables or disables one. */
async function slowPlaces(database: pg.Pool) {
  await database.query(
    'create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$',
  );
  const to = (place: Place, act: 'enable' | 'disable') =>
    database.query(`alter table ${places[place].table} ${act} trigger slow`);
  for (const place of Object.keys(places) as Place[]) {
    const { table, event } = places[place];
    await database.query(
      `create trigger slow before ${event} on ${table} for each row execute function slow()`,
    );
    await to(place, 'disable');
  }
  return to;
}

/** Returns true if a session of the service is in a pause. */
const isSlow = async (database: pg.Pool): Promise<true | undefined> => {
  const { rowCount } = await database.query(
    `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return rowCount === 0 ? undefined : true;
};

/** Waits until all statements of a killed process have ended. */
async function sessionsEnd(database: pg.Pool): Promise<void> {
  const others = 'datname = current_database() and application_name <> $1';
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where ${others} and wait_event = 'PgSleep'`,
    [ownName],
  );
  await until('the end of the sessions', async () => {
    const { rowCount } = await database.query(`select from pg_stat_activity where ${others}`, [ownName]);
    return rowCount === 0 || undefined;
  });
}

/** Waits for a time that is too short for timers. */
async function passes(ms: number): Promise<void> {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt) await turn();
}

/** A repeatable request with its key, and its stored state. */
function keyedRequest(root: HttpClient, database: pg.Pool, name: string) {
  const key = randomUUID();
  const keyHash = createHash('sha256').update(key).digest();
  const records = async (): Promise<number[]> => {
    const { rows } = await database.query<{ id: number }>('select id from svc.projects where name = $1', [
      name,
    ]);
    return rows.map(({ id }) => id);
  };
  return {
    send: (withKey = key): Promise<Answer> =>
      root.post(projects, { name, description: 'Once.' }, { headers: { 'idempotency-key': withKey } }),
    records,
    left: async (): Promise<Left> => {
      const { rows } = await database.query<{ isAnswered: boolean }>(
        'select answer_sealed is not null as "isAnswered" from svc.idempotent_requests where key_hash = $1',
        [keyHash],
      );
      if (!rows[0]) return 'Nothing';
      if (rows[0].isAnswered) return 'Answer';
      return (await records()).length === 0 ? 'KeyAlone' : 'KeyAndRecord';
    },
    /** Ages the request by six minutes. No request runs that long. */
    ages: () =>
      database.query(
        `update svc.idempotent_requests set begun_at = begun_at - interval '6 minutes' where key_hash = $1`,
        [keyHash],
      ),
  };
}
type KeyedRequest = ReturnType<typeof keyedRequest>;

const brief = ({ status, body, headers }: Answer) => ({
  status,
  code: body.code,
  isReplayed: headers.get('idempotency-replayed') === 'true',
});

/**
 * Checks that an interrupted request is never repeated under its key. The response states that its outcome is unknown.
 */
async function refusesWhatWasCutShort(request: KeyedRequest, left: Left): Promise<void> {
  const underWay = await request.send();
  expect(brief(underWay)).toEqual({ status: 409, code: 'request-under-way', isReplayed: false });
  expect(Number(underWay.headers.get('retry-after'))).toBeGreaterThan(0);
  await request.ages();
  for (let time = 0; time < 2; time += 1)
    expect(brief(await request.send())).toEqual({
      status: 409,
      code: 'request-outcome-unknown',
      isReplayed: false,
    });
  expect(await request.records()).toHaveLength(left === 'KeyAlone' ? 0 : 1);
  if (left === 'KeyAlone') expect((await request.send(randomUUID())).status).toBe(201);
}

async function answersAsItShould(
  request: KeyedRequest,
  left: Left,
  first: Answer | undefined,
): Promise<void> {
  if (left === 'KeyAlone' || left === 'KeyAndRecord') return refusesWhatWasCutShort(request, left);
  const again = await request.send();
  expect(brief(again)).toEqual({ status: 201, code: undefined, isReplayed: left === 'Answer' });
  expect(await request.records()).toEqual([again.body.id]);
  if (first) expect(again.text).toBe(first.text);
  expect(brief(await request.send())).toEqual({ status: 201, code: undefined, isReplayed: true });
}

/** Kinds of rounds, in rotation: a kill at any moment, before the record's commit, and directly after the commit. */
const turns: readonly (Place | undefined)[] = [undefined, 'beforeRecord', 'behindRecord'];
const leftAt = { beforeRecord: 'KeyAlone', behindRecord: 'KeyAndRecord' } as const;

test('a request with an Idempotency-Key whose process is killed at any moment creates one record, or a retry reports an unknown outcome', async () => {
  const { host, database } = await startOnDatabase();
  const root = await setUp(host);
  const slow = await slowPlaces(database);
  // Moves the next kill later if the previous one was before the commit, and earlier if it was after. The kill thus
  // stays around the commit on any machine.
  let [delayMs, stepMs] = [10, 8];
  for (let round = 0; round < rounds; round += 1) {
    const place = turns[round % turns.length];
    const request = keyedRequest(root, database, `Round ${round}`);
    if (place) await slow(place, 'enable');
    const sent = request.send().catch(() => undefined);
    if (place) await until('the slow place', () => isSlow(database));
    else await passes(delayMs * (0.8 + Math.random() * 0.4));
    await host.kill();
    const first = await sent;
    await sessionsEnd(database);
    if (place) await slow(place, 'disable');
    const left = await request.left();
    if (first) expect([first.status, left]).toEqual([201, 'Answer']);
    if (place) expect(left).toBe(leftAt[place]);
    await host.startAgain();
    await answersAsItShould(request, left, first);
    expect(await request.records()).toHaveLength(1);
    if (place) continue;
    const isLate = left === 'Answer' || left === 'KeyAndRecord';
    delayMs = Math.max(0.5, delayMs + (isLate ? -stepMs : stepMs));
    stepMs = Math.max(1, stepMs * 0.8);
  }
}, 900_000);
