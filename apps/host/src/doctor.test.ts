import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import path from 'node:path';
import { createTestAuthority, validFor } from '@svc/testkit/service/certificates.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine, urlOf } from './testing/command-line.ts';

const { fixture, folder, svc } = commandLine();

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
    const place = path.join(folder(), `${name}.pem`);
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
  const url = `${urlOf(fixture().svc.testDatabase)}?sslmode=disable&sslrootcert=${path.join(folder(), 'expired.pem')}`;
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
  const bundle = path.join(folder(), 'mail-bundle.json');
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
  const bundle = path.join(folder(), 'bundle.json');
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
  expect(text).not.toContain(urlOf(fixture().svc.testDatabase));
  expect(JSON.parse(text)).toMatchObject({
    plan: { verdict: 'UpToDate' },
    sizes: { largest: expect.any(Array) },
  });
  await fixture().svc.sql(
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
  expect(existsSync(path.join(folder(), 'postgres'))).toBe(false);
});
