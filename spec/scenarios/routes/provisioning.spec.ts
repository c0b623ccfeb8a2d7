import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '@svc/cli';
import { examineDatabase } from '@svc/server/operations';
import { addKey } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import { expect, onTestFinished } from 'vitest';
import { recordsFolder, runHost } from '../support/hosts/provisioned-host.ts';
import { scenario } from '../support/scenario.ts';

type OnEnd = (close: () => Promise<void>) => void;

const begin = async (onEnd: OnEnd): Promise<RunFixture> => {
  const fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  onEnd(fixture.close);
  return fixture;
};

const query = 'projects/made/queries/q.yaml';
const files = {
  'projects/made/project.yaml': 'name: Made\n',
  [query]: 'name: Q\n',
  'recipients/chat.yaml': 'name: Chat\nnotificationType: Webhook\ndestination: { secret: CHAT }\n',
};
const provisioned = (folder: string, more: Readonly<Record<string, string>> = {}) => ({
  Svc__Provisioning__Folder: folder,
  Svc__Provisioning__ActAs: 'root',
  ...more,
});
const findingOf = async ({ svc }: RunFixture) => {
  const { connection } = svc.testDatabase;
  const { findings } = await examineDatabase({ connection, keys: [encryptionKey] });
  return findings.find(({ subject }) => subject === 'Provisioning');
};
const projectsOf = async ({ root }: RunFixture): Promise<string[]> =>
  (await root.get('/svc/api/projects?pageSize=200')).body.items.map(({ name }: { name: string }) => name);

scenario(
  ['RT-4.3-1011', 'RT-4.3-1013'],
  'the host applies a folder at each start, before it serves requests, with the rights of the configured user',
  async ({ onEnd }) => {
    const fixture = await begin(onEnd);
    const { root, svc, sink } = fixture;
    expect(await findingOf(fixture)).toBeUndefined();
    const { folder, write } = recordsFolder(files);
    const env = provisioned(folder, {
      Svc__Provisioning__Managed: 'true',
      SVC_SECRET_CHAT: `${sink.urlOf('/chat')}?token=planted-of-provisioning`,
      ...Object.fromEntries(
        Object.entries(sink.settings).map(([key, value]) => [
          key.replaceAll(':', '__'),
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
    });
    const first = runHost(svc, ['start', '--no-demo'], env);
    expect([await first.end(), first.output()]).toEqual([
      'Serving',
      expect.stringMatching(/3 records: 3 changed.*Ready: /s),
    ]);
    expect(first.output()).not.toContain('planted-of-provisioning');
    await first.stop();
    expect(await projectsOf(fixture)).toContain('Made');
    const { body } = await root.get('/svc/api/queries?search=Q');
    const id = body.items[0].id as number;
    expect((await root.get(`/svc/api/definitions/objects/Query/${id}`)).body).toMatchObject({
      manager: 'provisioning',
      isManaged: true,
    });
    const [event] = (await root.get('/svc/api/mcp/audit?event=definitions.provisioned')).body.items;
    expect(event).toMatchObject({ actorUserName: 'root', detail: { folder, outcome: 'Applied' } });
    expect(await findingOf(fixture)).toMatchObject({
      state: 'Well',
      text: expect.stringContaining(`${folder} was applied as root`),
    });

    write(query, 'name: Q\ndescription: Changed\n');
    const second = runHost(svc, ['start', '--no-demo'], env);
    expect([await second.end(), second.output()]).toEqual([
      'Serving',
      expect.stringContaining('3 records: 1 changed'),
    ]);
    await second.stop();
    expect((await root.get(`/svc/api/queries/${id}`)).body.description).toBe('Changed');
  },
);

scenario(
  ['RT-4.3-1012', 'RT-4.3-1013'],
  'a folder that cannot be applied in full stops the start or is reported, as configured, and doctor reports it',
  async ({ onEnd }) => {
    const fixture = await begin(onEnd);
    const { svc } = fixture;
    await fixture.person('viewer', 'Viewer');
    const sound = recordsFolder({ 'projects/made/project.yaml': 'name: Made\n' }).folder;
    const wrong = recordsFolder({ 'projects/made/project.yaml': 'name: [a\n' }).folder;
    const stopped = runHost(
      svc,
      ['start', '--no-demo'],
      provisioned(wrong, { Svc__Provisioning__OnError: 'Stop' }),
    );
    expect([await stopped.end(), stopped.output()]).toEqual([
      1,
      expect.stringMatching(/Svc:Provisioning:OnError is Stop: the start ends here\.\n$/),
    ]);
    const fault = 'projects/made/project.yaml cannot be read';
    expect(stopped.output()).toContain(fault);
    expect(await findingOf(fixture)).toMatchObject({
      state: 'Warning',
      text: expect.stringContaining(fault),
    });

    const going = runHost(
      svc,
      ['start', '--no-demo'],
      provisioned(sound, { Svc__Provisioning__ActAs: 'viewer' }),
    );
    expect([await going.end(), going.output()]).toEqual([
      'Serving',
      expect.stringContaining('1 record: 0 changed, 0 waiting for approval, 1 not applied.'),
    ]);
    expect(going.output()).toContain('projects/made/project.yaml: NotAllowed. ');
    await going.stop();
    expect(await projectsOf(fixture)).not.toContain('Made');
    expect(await findingOf(fixture)).toMatchObject({
      state: 'Warning',
      remedy: expect.stringContaining('apply FOLDER --host --as USER'),
    });
  },
);

scenario(
  ['RT-4.3-1014'],
  'processes that start simultaneously apply the folder one after another, and a start after a kill applies the rest',
  async ({ onEnd }) => {
    const fixture = await begin(onEnd);
    const { svc } = fixture;
    const count = 150;
    const many = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`projects/p-${at}/project.yaml`, `name: P ${at}\n`]),
    );
    const env = provisioned(recordsFolder(many).folder);
    const made = async (): Promise<number> => {
      const [row] = await svc.sql<{ n: number }>(
        `select count(*)::int as n from svc.projects where name like 'P %'`,
      );
      return row?.n ?? 0;
    };
    const killed = runHost(svc, ['start', '--no-demo'], env);
    await expect.poll(made, { interval: 5, timeout: 60_000 }).toBeGreaterThan(0);
    await killed.kill();
    const before = await made();
    expect(before).toBeLessThan(count);

    const both = [1, 2].map(() => runHost(svc, ['start', '--no-demo'], env));
    expect(await Promise.all(both.map((host) => host.end()))).toEqual(['Serving', 'Serving']);
    expect(await made()).toBe(count);
    const lines = both.map((host) => /records?: (\d+) changed/.exec(host.output())?.[1]).map(Number);
    expect(lines.toSorted((a, b) => a - b)).toEqual([0, count - before]);
    await Promise.all(both.map((host) => host.stop()));
    const runs = await svc.sql<{ outcome: string; overlaps: boolean }>(
      `select outcome, exists (select from svc.provisioning_runs o where o.id <> r.id and outcome = 'Applied'
         and o.outcome = 'Applied' and o.started_at < r.finished_at and r.started_at < o.finished_at) as overlaps
       from svc.provisioning_runs r order by id`,
    );
    expect(runs).toEqual([
      { outcome: 'CutShort', overlaps: false },
      { outcome: 'Applied', overlaps: false },
      { outcome: 'Applied', overlaps: false },
    ]);
    await svc.sql(`delete from svc.provisioning_runs where outcome = 'Applied'`);
    expect(await findingOf(fixture)).toMatchObject({
      state: 'Warning',
      text: expect.stringContaining('was cut short'),
    });
  },
);

scenario(
  ['RT-4.3-1015'],
  'before setup is complete, the service starts without applying the folder and serves the setup',
  async ({ start }) => {
    const svc = await start();
    const { folder } = recordsFolder({ 'projects/made/project.yaml': 'name: Made\n' });
    const env = provisioned(folder, { Svc__Provisioning__OnError: 'Stop' });
    const host = runHost(svc, ['start', '--no-demo'], env);
    expect([await host.end(), host.output()]).toEqual([
      'Serving',
      expect.stringContaining('Nobody has set the service up yet'),
    ]);
    await host.stop();
  },
);

scenario(
  ['RT-4.3-1016'],
  'the host can plan and apply a folder as a user, without a key, with the exit codes of the commands',
  async ({ onEnd }) => {
    const fixture = await begin(onEnd);
    const { svc, root } = fixture;
    await fixture.person('viewer', 'Viewer');
    const { folder } = recordsFolder({ 'projects/made/project.yaml': 'name: Made\n' });
    const run = async (...args: string[]) => {
      const host = runHost(svc, args);
      return { code: await host.end(), output: host.output() };
    };
    expect(await run('plan', folder, '--host', '--as', 'ROOT')).toMatchObject({
      code: 3,
      output: expect.stringMatching(/Create +projects\/made\/project\.yaml/),
    });
    expect(await run('apply', folder, '--host', '--as', 'viewer')).toMatchObject({ code: 5 });
    expect(await projectsOf(fixture)).not.toContain('Made');
    expect(await run('apply', folder, '--host', '--as', 'root')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Done +Create +projects\/made\/project\.yaml/),
    });
    expect(await projectsOf(fixture)).toContain('Made');
    const [event] = (await root.get('/svc/api/mcp/audit?event=definitions.applied_on_machine')).body.items;
    expect(event).toMatchObject({ actorUserName: 'root' });
  },
);

/** Runs the command line of a caller. */
async function call(url: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'svc-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  let [out, said] = ['', ''];
  const code = await runCli(args, {
    env: { SVC_URL: url, ...env },
    stdin: (async function* () {})(),
    askSecret: undefined,
    answer: (part) => {
      out += part.toString();
    },
    say: (text) => {
      said += `${text}\n`;
    },
    isTerminal: false,
    folder: home,
    signal: new AbortController().signal,
  });
  return { code, out, said };
}

scenario(
  ['RT-4.3-1017'],
  'a key is read from a private file in preference to the environment, and is never printed',
  async ({ svc, root }) => {
    const projectId = await addProject(root, 'Of the key');
    const key = await addKey(root, { scopes: ['Execute'], projects: [projectId] });
    const home = mkdtempSync(path.join(os.tmpdir(), 'svc-key-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const file = path.join(home, 'key');
    writeFileSync(file, `${key.text}\n`, { mode: 0o600 });
    const whoami = (name = file) =>
      call(svc.origin, ['whoami', '-o', 'json', '--token-file', name], { SVC_KEY: 'another' });
    expect(await whoami()).toMatchObject({ code: 0, out: expect.stringContaining('"root"') });
    expect(await call(svc.origin, ['--token-file', file, 'whoami', '-o', 'json'])).toMatchObject({ code: 0 });
    chmodSync(file, 0o644);
    expect(await whoami()).toMatchObject({
      code: 2,
      said: `${file} can be read by others: run chmod 600 on it.\n`,
    });
    expect(await whoami(path.join(home, 'none'))).toMatchObject({
      code: 2,
      said: `${path.join(home, 'none')} is no file.\n`,
    });
    writeFileSync(path.join(home, 'two'), 'planted-one\nplanted-two\n', { mode: 0o600 });
    const two = await whoami(path.join(home, 'two'));
    expect(two).toMatchObject({ code: 2, said: expect.stringContaining('holds no key') });
    expect(two.said).not.toContain('planted');
    expect((await call(svc.origin, ['whoami', '--host'])).code).toBe(2);
  },
);

scenario(
  ['RT-4.3-1018'],
  'a folder above the size limit is reported with its size, the setting and an alternative',
  async ({ svc, root }) => {
    const projectId = await addProject(root, 'Large');
    const key = await addKey(root, { scopes: ['Execute'], projects: [projectId] });
    const big = { 'projects/big/queries/q.yaml': `name: Q\ndescription: ${'x'.repeat(1_000_000)}\n` };
    const { folder, write } = recordsFolder(big);
    write('projects/big/queries/r.yaml', `name: R\ndescription: ${'x'.repeat(200_000)}\n`);
    const { code, said } = await call(svc.origin, ['plan', folder], { SVC_KEY: key.text });
    expect([code, said]).toEqual([
      1,
      'The folder makes a request of 1.1 MB, which is more than the service takes. Raise Svc:Http:BodyLimitBytes there, or apply on its machine: svc apply FOLDER --host --as USER.\n',
    ]);
    const lost = await call(svc.origin, ['plan', folder, '--host', '--as', 'root']);
    expect([lost.code, lost.said]).toEqual([2, expect.stringContaining('knows no service of its own')]);
  },
);
