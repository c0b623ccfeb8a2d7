import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UnsettledCopy } from './index.ts';
import { type CopyFixture, copyRefusalOf, startCopyFixture } from './testing.ts';

let fixture: CopyFixture;

beforeAll(async () => {
  fixture = await startCopyFixture();
});
afterAll(() => fixture.close());

const countRows = async () => Number((await fixture.texts('select count(*) from dst.t'))[0]);

beforeEach(async () => {
  for (const name of await fixture.leftovers()) await fixture.admin.query(`drop table dst.${name}`);
  await fixture.admin.query(`drop table if exists src.t, dst.t;
    create table src.t (id int); create table dst.t (id int);
    insert into src.t select * from generate_series(1, 100)`);
});

describe('a copy that is resumed after a crash', () => {
  it('starts again if the earlier attempt had not committed', async () => {
    const first = fixture.request();
    await fixture.mark(first.stagingName, 'open');
    const { hooks, told: calls } = fixture.hooks();
    const again = fixture.request({ earlierStagingNames: [first.stagingName], mayHaveCommitted: true });
    const { outcome } = await fixture.copyData.run(again, hooks);
    expect([outcome?.counts.inserted, calls.committed, await countRows()]).toEqual([100, 1, 100]);
    expect(await fixture.leftovers()).toEqual([]);
  });

  it('copies nothing if the earlier attempt had committed', async () => {
    const first = fixture.request();
    await fixture.mark(first.stagingName, 'committed');
    const { hooks, told: calls } = fixture.hooks();
    const again = fixture.request({ earlierStagingNames: [first.stagingName], mayHaveCommitted: true });
    const end = await fixture.copyData.run(again, hooks);
    expect([end.outcome, end.isClean, calls.committed, await countRows()]).toEqual([null, false, 1, 0]);
    const staging = { schema: 'dst', stagingNames: [first.stagingName] };
    const call = { signal: new AbortController().signal, timeoutMs: 10_000 };
    await fixture.copyData.dropStaging(fixture.destination, staging, call);
    expect(await fixture.leftovers()).toEqual([]);
  });

  it('reports an unknown outcome if the earlier attempt may have committed and left no trace', async () => {
    const again = fixture.request({ earlierStagingNames: ['svc_staging_gone_1'], mayHaveCommitted: true });
    const { reason } = await copyRefusalOf(fixture.copyData.run(again, fixture.hooks().hooks));
    expect([reason, await countRows()]).toEqual(['outcome-unknown', 0]);
    const notYet = { ...again, mayHaveCommitted: false };
    await fixture.copyData.run(notYet, fixture.hooks().hooks);
    expect(await countRows()).toBe(100);
  });

  it('reports no outcome until the open transaction of the earlier attempt has ended', async () => {
    const first = fixture.request();
    await fixture.mark(first.stagingName, 'open');
    const commit = await fixture.lock(`delete from dst.${first.stagingName}_m; insert into dst.t values (1)`);
    const again = fixture.request({ earlierStagingNames: [first.stagingName], mayHaveCommitted: true });
    await expect(fixture.copyData.run(again, fixture.hooks().hooks)).rejects.toThrow(UnsettledCopy);
    await commit.commit();
    const end = await fixture.copyData.run(again, fixture.hooks().hooks);
    expect([end.outcome, await countRows()]).toEqual([null, 1]);
  });

  it('prevents a slow earlier process from committing', async () => {
    const slow = fixture.request({ mode: 'Truncate' });
    const { hooks } = fixture.hooks({
      onStage: async (stage) => {
        if (stage !== 'Applying') return;
        const again = fixture.request({ earlierStagingNames: [slow.stagingName], mayHaveCommitted: true });
        await fixture.copyData.run(again, fixture.hooks().hooks);
      },
    });
    expect(['destination-failed', 'schema-changed']).toContain(
      (await copyRefusalOf(fixture.copyData.run(slow, hooks))).reason,
    );
    expect([await countRows(), await fixture.leftovers()]).toEqual([100, []]);
  });
});

describe('a connection that is lost during the commit', () => {
  it.each(['before', 'after'] as const)(
    'leads to the correct outcome if it is lost %s the commit took effect',
    async (when) => {
      const request = fixture.request();
      const { hooks, told: calls } = fixture.hooks({
        onCommitting: async () => {
          if (when === 'before') await fixture.cutConnections();
        },
        onCommitted: async () => {
          calls.committed += 1;
          if (when === 'after') await fixture.cutConnections();
        },
      });
      const run = fixture.copyData.run(request, hooks);
      if (when === 'before') {
        expect((await copyRefusalOf(run)).reason).toBe('destination-failed');
        expect(await countRows()).toBe(0);
      } else {
        expect((await run).isClean).toBe(true);
        expect(await countRows()).toBe(100);
      }
      expect(await fixture.leftovers()).toEqual([]);
    },
  );
});
