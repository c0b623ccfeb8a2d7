import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { callerCommands } from '@svc/cli';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine, emptyDatabase, urlOf } from './testing/command-line.ts';

const { fixture, folder, svc } = commandLine();

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
  expect(printed).toContainEqual({ key: 'Svc:DataDirectory', value: folder(), origin: 'the environment' });
});

test('config check refuses a missing key, invalid certificates and one port for two listeners, as a start does', async () => {
  expect(await svc(['config', 'check'], { Svc__EncryptionKey: undefined })).toMatchObject({
    failure: expect.stringMatching(/external database Svc:EncryptionKey must be set.*openssl rand/),
  });
  const file = (name: string, text: string) => {
    const place = path.join(folder(), name);
    writeFileSync(place, text);
    return place;
  };
  const broken = '-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n';
  const absent = path.join(folder(), 'absent.pem');
  for (const [place, sentence] of [
    [absent, `TrustedCertificates:0 names the file ${absent}, which cannot be read (ENOENT)`],
    [folder(), 'which cannot be read (EISDIR)'],
    [file('empty.pem', ''), 'holds no certificate in PEM form'],
    [file('broken.pem', broken), 'holds a certificate that cannot be read'],
    [broken, 'holds a certificate that cannot be read'],
  ] as const) {
    const more = { Svc__Notifications__TrustedCertificates__0: place };
    expect(await svc(['config', 'check'], more)).toMatchObject({
      failure: expect.stringContaining(sentence),
    });
  }
  const url = urlOf(fixture().svc.testDatabase);
  for (const key of ['sslrootcert', 'sslcert', 'sslkey'])
    for (const name of ['ConnectionString', 'ReadConnectionString']) {
      const more = { [`Svc__Database__${name}`]: `${url}?sslmode=verify-full&${key}=${absent}` };
      expect((await svc(['config', 'check'], more)).failure).toBe(
        `${key} of Svc:Database:${name} names the file ${absent}, which cannot be read (ENOENT). Name a file that the user of the service may read.`,
      );
    }
  const root = `${url}?sslmode=verify-full&sslrootcert=${path.join(folder(), 'broken.pem')}`;
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
  const file = path.join(folder(), 'svc.backup');
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
  const file = path.join(folder(), 'before-full.backup');
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
