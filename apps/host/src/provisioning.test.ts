import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '@svc/cli';
import { loadConfig } from '@svc/server';
import { createUser } from '@svc/testkit/people/users.ts';
import { type DeliveryFixture, startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkAllSettings } from './check-settings.ts';
import { withDefinitions } from './commands/definitions.ts';
import { startHost } from './start.ts';

let fixture: DeliveryFixture;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  fixture = await startDeliveryFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  const { host, port, user, password, database } = fixture.svc.testDatabase.connection;
  env = {
    Svc__Database__ConnectionString: `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`,
    Svc__EncryptionKey: encryptionKey,
    Svc__Host__Port: '0',
    Svc__Jobs__Workers: '0',
    Svc__Logging__Level: 'silent',
  };
  await createUser(fixture.svc.database, 'viewer', ['Viewer']);
  await createUser(fixture.svc.database, 'gone', ['Admin']);
  await fixture.svc.sql(`update svc.users set is_enabled = false where user_name = 'gone'`);
}, 300_000);
afterAll(() => fixture.close());

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-provisioned-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}
const made = { 'projects/made/project.yaml': 'name: Made\n' };
const last = async () => {
  const [run] = await fixture.svc.sql<{ outcome: string; detail: string }>(
    'select outcome, detail from svc.provisioning_runs order by id desc limit 1',
  );
  return run;
};

/** Starts with a folder; the start ends at an error. @returns the output. */
async function startWith(folder: string, actAs: string): Promise<string> {
  const said: string[] = [];
  const settings = {
    Svc__Provisioning__Folder: folder,
    Svc__Provisioning__ActAs: actAs,
    Svc__Provisioning__OnError: 'Stop',
  };
  await startHost({
    env: { ...env, ...settings },
    withDemo: false,
    say: (line) => void said.push(line),
  }).then(
    (host) => host.close(),
    (error: Error) => said.push(error.message),
  );
  return said.join('\n');
}

test.each<[string, () => string, string, string, string]>([
  [
    'wrong YAML',
    () => folderOf({ 'projects/a/project.yaml': 'name: [a\n' }),
    'root',
    'Failed',
    'cannot be read',
  ],
  [
    'an invalid member',
    () => folderOf({ 'projects/a/project.yaml': 'name: 7\n' }),
    'root',
    'Failed',
    '#/name',
  ],
  ['no folder', () => '/nowhere/records', 'root', 'Failed', 'There is no folder /nowhere/records.'],
  ['an empty folder', () => folderOf({}), 'root', 'Failed', 'There is no file of a record in '],
  ['a missing user', () => folderOf(made), 'nobody', 'Failed', 'There is no user nobody.'],
  ['a disabled user', () => folderOf(made), 'gone', 'Failed', 'The user gone is disabled.'],
  [
    'a user without rights',
    () => folderOf(made),
    'viewer',
    'Incomplete',
    'projects/made/project.yaml: NotAllowed. ',
  ],
  [
    'a missing secret',
    () =>
      folderOf({
        'recipients/chat.yaml': 'name: Chat\nnotificationType: Webhook\ndestination: { secret: CHAT }\n',
      }),
    'root',
    'Incomplete',
    'recipients/chat.yaml: Failed. Send the value of the secret CHAT.',
  ],
])(
  'a start with provisioning ends for %s and reports the cause',
  async (_what, folder, actAs, outcome, sentence) => {
    const said = await startWith(folder(), actAs);
    expect(said).toContain('Svc:Provisioning:OnError is Stop: the start ends here.');
    expect(said).toContain(sentence);
    expect(await last()).toMatchObject({ outcome, detail: expect.stringContaining(sentence) });
    expect((await fixture.root.get('/svc/api/projects?search=Made')).body.totalCount).toBe(0);
  },
);

test('the check of the settings names invalid settings of provisioning', () => {
  const check = (settings: Readonly<Record<string, string>>) => () =>
    checkAllSettings(loadConfig({ env: { ...env, ...settings } }).config);
  expect(check({ Svc__Provisioning__Folder: '/records' })).toThrow(
    'The setting Svc:Provisioning:Folder needs Svc:Provisioning:ActAs.',
  );
  expect(check({ Svc__Provisioning__OnError: 'Perhaps' })).toThrow('Continue, Stop');
  expect(check({ Svc__Provisioning__Manager: 'A B' })).toThrow('lower-case letters');
});

test('apply, plan and drift on the machine report users without permission and invalid files', async () => {
  const run = async (...args: string[]) => {
    let [out, said] = ['', ''];
    const code = await runCli(args, {
      env,
      stdin: (async function* () {})(),
      askSecret: undefined,
      isTerminal: false,
      answer: (part) => {
        out += part.toString();
      },
      say: (line) => {
        said += `${line}\n`;
      },
      folder: folderOf({}),
      signal: new AbortController().signal,
      onMachine: (userName, work) => withDefinitions({ env, say: () => undefined }, userName, work),
    });
    return { code, out, said };
  };
  const folder = folderOf(made);
  const as = (user: string) => ['--host', '--as', user];
  expect(await run('apply', folder, ...as('nobody'))).toMatchObject({
    code: 1,
    said: 'There is no user nobody.\n',
  });
  expect(await run('apply', folder, ...as('gone'))).toMatchObject({
    code: 1,
    said: 'The user gone is disabled.\n',
  });
  expect(await run('apply', folder, ...as('viewer'))).toMatchObject({ code: 5 });
  const usage = { code: 2, said: 'Give --host and --as USER together.\n' };
  expect(await run('apply', folder, '--host')).toMatchObject(usage);
  expect(await run('apply', folder, '--as', 'root')).toMatchObject(usage);
  const wrong = folderOf({ 'projects/made/project.yaml': 'name: 7\n' });
  expect(await run('plan', wrong, ...as('root'))).toMatchObject({
    code: 1,
    said: expect.stringContaining('projects/made/project.yaml#/name: must be string'),
  });
  expect(await run('drift', folder, ...as('root'))).toMatchObject({ code: 0, said: 'Nothing drifted.\n' });
  expect((await fixture.root.get('/svc/api/projects?search=Made')).body.totalCount).toBe(0);
});
