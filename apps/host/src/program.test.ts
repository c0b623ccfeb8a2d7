import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { callerCommands } from '@svc/cli';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { type DeliveryFixture, startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { createTestAuthority, validFor } from '@svc/testkit/service/certificates.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runCommand } from './program.ts';

let fixture: DeliveryFixture;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'svc-commands-'));
  fixture = await startDeliveryFixture();
}, 300_000);
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true, force: true });
});

const urlOf = ({ connection }: TestDatabase): string => {
  const { host, port, user, password, database } = connection;
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
};
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** Runs a command line on the fixture's database, or on another one. */
async function svc(args: readonly string[], more: Readonly<Record<string, string | undefined>> = {}) {
  const said: string[] = [];
  let answered = '';
  const env = {
    Svc__Database__ConnectionString: urlOf(fixture.svc.testDatabase),
    Svc__EncryptionKey: encryptionKey,
    Svc__DataDirectory: folder,
    // Avoids conflicts with other processes of this machine.
    Svc__Host__Port: '0',
    ...more,
  };
  const context = {
    env,
    say: (line: string) => void said.push(line),
    answer: (text: string) => {
      answered += text;
    },
  };
  const failure: unknown[] = [];
  const code = await runCommand(args, context, async () => undefined).catch((error: unknown) => {
    failure.push((error as Error).message);
    return 'thrown';
  });
  return { code, said: said.join('\n'), answered, failure: failure.join() };
}

test('no command of the machine has the name of a caller command, and the help lists the caller commands', async () => {
  const { answered } = await svc(['--help']);
  expect(answered).toContain(callerCommands.join(', '));
  for (const name of callerCommands)
    expect([name, await svc([name, '--help'])]).toMatchObject([name, { code: 2, answered: '' }]);
});

test('an invalid command line exits with code 2 and refers to the list of commands', async () => {
  for (const line of [['nonsense'], ['secrets', 'turn'], ['backup'], ['migrate', '--nonsense']]) {
    const { code, said } = await svc(line);
    expect([line, code]).toEqual([line, 2]);
    expect(said).toMatch(/^error: .*\nSee all commands with: npm run svc -- --help/s);
    if (line.length < 2 && line[0] === 'nonsense') expect(said).toContain("unknown command 'nonsense'");
  }
  const help = await svc(['--help']);
  expect([help.code, help.answered]).toEqual([0, expect.stringContaining('restore [options] <file>')]);
});

test('config check applies the checks of a start, and the settings are printed without secrets', async () => {
  expect(await svc(['config', 'check'])).toMatchObject({
    code: 0,
    said: expect.stringContaining('The settings hold'),
  });
  expect(await svc(['config', 'check'], { Svc__Nonsense: '1' })).toMatchObject({
    code: 'thrown',
    failure: expect.stringContaining('Unknown setting Svc:Nonsense'),
  });
  const alone = { Svc__Authentication__Jwt__EnableBearerAuthentication: 'true' };
  expect(await svc(['config', 'check'], alone)).toMatchObject({
    failure: expect.stringContaining('JwksEndpoint'),
  });
  const open = { Svc__Telemetry__Metrics__Enabled: 'true', Svc__Telemetry__Metrics__Address: '0.0.0.0' };
  expect(await svc(['config', 'check'], open)).toMatchObject({
    failure: expect.stringContaining(
      'Svc:Telemetry:Metrics:Token is needed where the metrics listen on 0.0.0.0',
    ),
  });
  const withToken = { ...open, Svc__Telemetry__Metrics__Token: 'a-token-of-the-tests-0123' };
  expect(await svc(['config', 'check'], withToken)).toMatchObject({ code: 0 });
  expect(await svc(['config', 'check'], { Svc__Host__Smtp__Host: 'mail.example.org' })).toMatchObject({
    failure: expect.stringContaining('Svc:Host:Smtp:From'),
  });
  expect(await svc(['config', 'check'], { Svc__Jobs__Queues: '["mails"]' })).toMatchObject({
    failure: expect.stringContaining('Svc:Jobs:Queues names mails, which is no queue. Queues are: runs'),
  });
  const secrets = {
    Svc__LLM__ApiKey: 'planted-one',
    Svc__PreviousEncryptionKeys__0: 'planted-two-0123456789-0123456789-01234',
    Svc__Authentication__Jwt__Validation__SigningKey: 'planted-three-0123456789-0123456789',
  };
  for (const form of [['--all'], ['-o', 'json'], []]) {
    const { answered } = await svc(['config', 'print', ...form], secrets);
    expect(answered).not.toMatch(/planted|password/);
    expect(answered).not.toContain(encryptionKey);
    expect(answered).toContain('***');
  }
  const printed = JSON.parse((await svc(['config', 'print', '--output', 'json'], secrets)).answered);
  expect(printed).toContainEqual({ key: 'Svc:EncryptionKey', value: '***', origin: 'the environment' });
  expect(printed).toContainEqual({ key: 'Svc:DataDirectory', value: folder, origin: 'the environment' });
});

test('config check refuses a missing key, invalid certificates and one port for two listeners, as a start does', async () => {
  expect(await svc(['config', 'check'], { Svc__EncryptionKey: undefined })).toMatchObject({
    failure: expect.stringMatching(/external database Svc:EncryptionKey must be set.*openssl rand/),
  });
  const file = (name: string, text: string) => {
    const place = path.join(folder, name);
    writeFileSync(place, text);
    return place;
  };
  const broken = '-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n';
  const absent = path.join(folder, 'absent.pem');
  for (const [place, sentence] of [
    [absent, `TrustedCertificates:0 names the file ${absent}, which cannot be read (ENOENT)`],
    [folder, 'which cannot be read (EISDIR)'],
    [file('empty.pem', ''), 'holds no certificate in PEM form'],
    [file('broken.pem', broken), 'holds a certificate that cannot be read'],
    [broken, 'holds a certificate that cannot be read'],
  ] as const) {
    const more = { Svc__Notifications__TrustedCertificates__0: place };
    expect(await svc(['config', 'check'], more)).toMatchObject({
      failure: expect.stringContaining(sentence),
    });
  }
  const url = urlOf(fixture.svc.testDatabase);
  for (const key of ['sslrootcert', 'sslcert', 'sslkey'])
    for (const name of ['ConnectionString', 'ReadConnectionString']) {
      const more = { [`Svc__Database__${name}`]: `${url}?sslmode=verify-full&${key}=${absent}` };
      expect((await svc(['config', 'check'], more)).failure).toBe(
        `${key} of Svc:Database:${name} names the file ${absent}, which cannot be read (ENOENT). Name a file that the user of the service may read.`,
      );
    }
  const root = `${url}?sslmode=verify-full&sslrootcert=${path.join(folder, 'broken.pem')}`;
  expect(await svc(['config', 'check'], { Svc__Database__ConnectionString: root })).toMatchObject({
    failure: expect.stringContaining(
      'sslrootcert of Svc:Database:ConnectionString holds a certificate that cannot be read',
    ),
  });
  const metrics = {
    Svc__Telemetry__Metrics__Enabled: 'true',
    Svc__Telemetry__Metrics__Port: '8080',
    Svc__Host__Port: '8080',
  };
  const withToken = { ...metrics, Svc__Telemetry__Metrics__Token: 'a-token-of-the-tests-0123' };
  for (const [host, own] of [
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['10.0.0.7', '::'],
  ] as const) {
    const addresses = { Svc__Host__Address: host, Svc__Telemetry__Metrics__Address: own };
    expect(await svc(['config', 'check'], { ...withToken, ...addresses })).toMatchObject({
      failure: expect.stringContaining('Svc:Telemetry:Metrics:Port and Svc:Host:Port are both 8080'),
    });
  }
  const apart = { Svc__Host__Address: '10.0.0.7' };
  expect(await svc(['config', 'check'], { ...metrics, ...apart })).toMatchObject({ code: 0 });
  const free = { Svc__Host__Port: '0', Svc__Telemetry__Metrics__Port: '0' };
  expect(await svc(['config', 'check'], { ...metrics, ...free })).toMatchObject({ code: 0 });
});

test('the health command checks the service on this machine', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(request.url === '/livez' ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = String((server.address() as AddressInfo).port);
  const here = { Svc__Host__Port: port, Svc__Host__Address: '0.0.0.0' };
  expect(await svc(['health'], here)).toMatchObject({ code: 0 });
  expect(await svc(['health', '--ready'], here)).toMatchObject({
    code: 1,
    said: expect.stringContaining('503'),
  });
  expect(asked).toEqual(['/livez', '/readyz']);
  await new Promise((resolve) => server.close(resolve));
  expect(await svc(['health', '--url', `http://127.0.0.1:${port}`])).toMatchObject({
    code: 1,
    said: expect.stringContaining('Nobody answers'),
  });
});

test('migrate --plan lists the migrations of a start, migrate applies them, and both then report nothing to do', async () => {
  const database = await emptyDatabase();
  const there = { Svc__Database__ConnectionString: urlOf(database) };
  const first = await svc(['migrate', '--plan'], there);
  expect(first).toMatchObject({ code: 3, said: expect.stringMatching(/Schema svc: made anew.*May roll/s) });
  expect(await svc(['migrate'], there)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/migrations were applied/),
  });
  expect(await svc(['migrate', '--plan'], there)).toMatchObject({
    code: 0,
    said: 'The database is up to date.',
  });
  expect(await svc(['migrate'], there)).toMatchObject({ code: 0, said: 'The database is up to date.' });
});

test('a backup is restored into another database, and a restore without its key reports the missing key', async () => {
  const file = path.join(folder, 'svc.backup');
  const made = await svc(['backup', file]);
  expect(made).toMatchObject({
    code: 0,
    said: expect.stringMatching(/Backed up [\d,]+ rows.*Keep the key as well.*Svc:EncryptionKey/s),
  });
  expect(made.said.split('\n').length).toBeLessThan(15);
  expect(await svc(['backup', file])).toMatchObject({ failure: expect.stringContaining('already there') });
  expect(await svc(['restore', file])).toMatchObject({
    failure: expect.stringContaining('already holds a service'),
  });
  const database = await emptyDatabase();
  const there = { Svc__Database__ConnectionString: urlOf(database) };
  const restored = await svc(['restore', file, '--as-copy'], there);
  expect(restored).toMatchObject({
    code: 0,
    said: expect.stringMatching(/Restored [\d,]+ rows.*every queue is paused/s),
  });
  expect(restored.said).toMatch(/^Verifying: \d+ of \d+ tables\.\n.*\nWriting: \d+ of \d+ tables\.\n/s);
  expect(restored.said.split('\n').length).toBeLessThan(25);
  const other = await emptyDatabase();
  const elsewhere = {
    Svc__Database__ConnectionString: urlOf(other),
    Svc__EncryptionKey: 'another-encryption-key-0123456789-0123456789',
  };
  expect(await svc(['restore', file], elsewhere)).toMatchObject({
    code: 3,
    said: expect.stringContaining('which is not here'),
  });
});

test('a full disk during a restore or a migration is reported with the remedy, and a failed restore leaves no schema', async () => {
  const file = path.join(folder, 'before-full.backup');
  expect(await svc(['backup', file])).toMatchObject({ code: 0 });
  const database = await emptyDatabase();
  const there = { Svc__Database__ConnectionString: urlOf(database) };
  const admin = new pg.Client(database.adminConnection);
  await admin.connect();
  onTestFinished(() => admin.end());
  // The error of PostgreSQL when a file cannot grow, here the file of an index.
  await admin.query(`create function public.no_room() returns event_trigger language plpgsql as $$
    begin raise 'could not extend file "base/1/2": No space left on device' using errcode = '53100'; end $$`);
  await admin.query(
    `create event trigger no_room on ddl_command_start when tag in ('CREATE INDEX') execute function public.no_room()`,
  );
  for (const command of [['restore', file], ['migrate']]) {
    const { code, failure } = await svc(command, there);
    expect([command, code]).toEqual([command, 'thrown']);
    expect(failure).toMatch(
      /^The disk of the database is full: .*could not extend file "base\/1\/2": No space left on device\. Make room on it, and run this again\.$/s,
    );
    if (command[0] === 'restore')
      expect(
        (await admin.query(`select from pg_namespace where nspname in ('svc', 'svc_jobs')`)).rowCount,
      ).toBe(0);
  }
  await admin.query('drop event trigger no_room');
  expect(await svc(['migrate'], there)).toMatchObject({ code: 0 });
  expect((await svc(['doctor'], there)).said).toMatch(/ok {4}Schema/);
});

/** Starts a foreign listener on a port of this machine. */
async function listening(onConnection: (socket: Socket) => void) {
  const server = createTcpServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

test('the doctor names a port that another program uses, and the remedy', async () => {
  const taken = await listening((socket) => socket.on('error', () => undefined).end('no HTTP\r\n'));
  const metrics = { Svc__Telemetry__Metrics__Enabled: 'true', Svc__Telemetry__Metrics__Port: taken };
  const { code, said } = await svc(['doctor'], metrics);
  expect(code).toBe(3);
  expect(said).toMatch(/ok {4}Port: A start takes any free port of 127\.0\.0\.1\./);
  expect(said).toMatch(
    new RegExp(
      `BAD {3}Metrics port: Port ${taken} of 127.0.0.1 is taken.\\n {6}Stop what uses it, or choose another port with Svc:Telemetry:Metrics:Port`,
    ),
  );
  const away = await svc(['doctor'], { Svc__Host__Address: '192.0.2.1', Svc__Host__Port: '8080' });
  expect(away.said).toMatch(
    /BAD {3}Port: 192\.0\.2\.1 is no address of this machine\.\n {6}Name one with Svc:Host:Address/,
  );
  const service = createServer((_, response) => void response.end('{"status":"ok"}'));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void service.close());
  const own = String((service.address() as AddressInfo).port);
  expect((await svc(['doctor'], { Svc__Host__Port: own })).said).toContain(
    `ok    Port: A service answers at http://127.0.0.1:${own}; a second one needs another port.`,
  );
});

test('the doctor names certificates that have expired, will expire soon or are not yet valid', async () => {
  const of = async (name: string, from: number, until: number) => {
    const place = path.join(folder, `${name}.pem`);
    writeFileSync(place, (await createTestAuthority(validFor(from, until))).certificate);
    return place;
  };
  const trusting = (place: string) => svc(['doctor'], { Svc__Notifications__TrustedCertificates__0: place });
  const expired = await trusting(await of('expired', -30, -1));
  expect(expired.said).toMatch(
    /BAD {3}Certificates: Svc:Notifications:TrustedCertificates \(CN=Test authority\) has expired on \d{4}-\d\d-\d\d/,
  );
  expect((await trusting(await of('soon', -30, 7))).said).toMatch(/warn {2}Certificates: .* expires on/);
  const early = await trusting(await of('early', 30, 60));
  expect(early.said).toMatch(/BAD {3}Certificates: .* does not hold before .*\n {6}Look at the clock/);
  const sound = await of('sound', -1, 90);
  expect((await trusting(sound)).said).toMatch(/ok {4}Certificates: .* hold until/);
  const url = `${urlOf(fixture.svc.testDatabase)}?sslmode=disable&sslrootcert=${path.join(folder, 'expired.pem')}`;
  const database = await svc(['doctor'], { Svc__Database__ConnectionString: url });
  expect(database.said).toContain(
    'sslrootcert of Svc:Database:ConnectionString (CN=Test authority) has expired',
  );
  expect((await svc(['doctor'])).said).not.toContain('Certificates');
});

test('the doctor names a mail server that does not answer, and never prints its password', async () => {
  const port = await listening((socket) => socket.on('error', () => undefined).end('554 not you\r\n'));
  const smtp = {
    Svc__Host__Smtp__Host: '127.0.0.1',
    Svc__Host__Smtp__From: 'svc@example.org',
    Svc__Host__Smtp__UserName: 'svc',
    Svc__Host__Smtp__Password: 'planted-password',
  };
  const bundle = path.join(folder, 'mail-bundle.json');
  const away = await svc(['doctor', '--bundle', bundle], { ...smtp, Svc__Host__Smtp__Port: '1' });
  expect(away).toMatchObject({
    code: 3,
    said: expect.stringMatching(
      /BAD {3}Mail: The mail server 127\.0\.0\.1:1 cannot be reached: ECONNREFUSED\.\n {6}Look at Svc:Host:Smtp:Host/,
    ),
  });
  expect(readFileSync(bundle, 'utf8') + away.said).not.toContain('planted-password');
  const other = await svc(['doctor'], { ...smtp, Svc__Host__Smtp__Port: port });
  expect(other.said).toMatch(/BAD {3}Mail: .* does not greet as a mail server that takes mail\./);
  const half = await svc(['doctor'], { Svc__Host__Smtp__Host: 'mail.example.org' });
  expect(half.said).toMatch(/BAD {3}Settings: Svc:Host:Smtp:From .*ok {4}PostgreSQL/s);
  expect(half.said).not.toContain('Mail:');
});

test('the doctor reports no fault on a healthy service, and names each fault of an unhealthy one', async () => {
  const bundle = path.join(folder, 'bundle.json');
  const base = { Svc__BaseUrl: 'https://svc.example.org/svc' };
  // Ignores the disk of this machine. Services of other tests have live workers.
  const sound = await svc(['doctor', '--bundle', bundle], base);
  expect(sound.said).toMatch(
    /ok {4}PostgreSQL.*ok {4}Session.*ok {4}LISTEN.*ok {4}Schema.*ok {4}Key.*ok {4}Workers/s,
  );
  expect(sound.said).not.toContain('BAD');
  expect(statSync(bundle).mode & 0o777).toBe(0o600);
  const text = readFileSync(bundle, 'utf8');
  expect(text).not.toContain(encryptionKey);
  expect(text).not.toContain(urlOf(fixture.svc.testDatabase));
  expect(JSON.parse(text)).toMatchObject({
    plan: { verdict: 'UpToDate' },
    sizes: { largest: expect.any(Array) },
  });
  await fixture.svc.sql(
    `insert into svc_jobs.queue (name, paused_at) values ('runs', now()) on conflict (name) do update set paused_at = now()`,
  );
  const { code, said } = await svc(['doctor'], {
    Svc__EncryptionKey: 'another-encryption-key-0123456789-0123456789',
  });
  expect(code).toBe(3);
  expect(said).toMatch(/warn {2}Links: .*\n {6}Set Svc:BaseUrl/);
  expect(said).toMatch(/BAD {3}Key: Secrets are under the key .*\n {6}Set Svc:EncryptionKey/);
  expect(said).toMatch(/warn {2}Queues: Paused: runs\./);
  const away = await svc(['doctor'], { Svc__Database__ConnectionString: 'postgres://svc:x@127.0.0.1:1/svc' });
  expect(away).toMatchObject({ code: 3, said: expect.stringMatching(/BAD {3}PostgreSQL: No connection/) });
  const wrong = await svc(['doctor'], { Svc__Host__Port: 'many' });
  expect(wrong).toMatchObject({ code: 3, said: expect.stringMatching(/BAD {3}Settings: .*Svc:Host:Port/) });
  expect(existsSync(path.join(folder, 'postgres'))).toBe(false);
});
