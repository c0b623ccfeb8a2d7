import { describeMigrationProgress } from '@svc/server';
import { applyMigrations, type MigrationPlan, planMigrations } from '@svc/server/operations';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type CommandContext, withDatabase } from './database.ts';

/** `svc migrate`: migrates the schemas to this version, as a start would, and starts nothing. */
export const migrate = (context: CommandContext): Promise<void> =>
  withDatabase(context, { isExclusive: false }, async ({ database }) => {
    const count = await applyMigrations(database.connection, (progress) =>
      context.say(`${describeMigrationProgress(progress)}.`),
    );
    context.say(count === 0 ? 'The database is up to date.' : `${count} migrations were applied.`);
  });

const verdicts: Readonly<Record<MigrationPlan['verdict'], readonly [sentence: string, code: ExitCode]>> = {
  UpToDate: ['The database is up to date.', exitCodes.done],
  MayRoll: [
    'May roll: the version before runs on the result. Replace one process at a time.',
    exitCodes.findings,
  ],
  MustStop: ['Must stop: end every process before the new version starts.', exitCodes.mustStop],
  Newer: ['A newer version has written this database. Start that version instead.', exitCodes.failed],
  Changed: ['Files were changed after they were applied. Restore them.', exitCodes.failed],
};

function linesOf({ schema, isFirst, pending, unknown, changed }: MigrationPlan['schemas'][number]): string[] {
  const files = pending.map(({ name, isOutsideTransaction, stopsBecause }) => {
    const how = isOutsideTransaction ? ', outside a transaction' : '';
    return `${name}${how}${stopsBecause === null ? '' : `; must stop: ${stopsBecause}`}`;
  });
  return [
    ...(isFirst ? [`made anew from ${files.length} migrations.`] : files),
    ...unknown.map((name) => `${name} is unknown to this version.`),
    ...changed.map((name) => `${name} was changed.`),
  ].map((text) => `Schema ${schema}: ${text}`);
}

/** `svc migrate --plan`: prints the changes of a start to the schemas and changes nothing. */
export const planMigration = (context: CommandContext): Promise<ExitCode> =>
  withDatabase(context, { isExclusive: false }, async ({ database }) => {
    const plan = await planMigrations(database.connection);
    for (const line of plan.schemas.flatMap(linesOf)) context.say(line);
    const [sentence, code] = verdicts[plan.verdict];
    context.say(sentence);
    return code;
  });
