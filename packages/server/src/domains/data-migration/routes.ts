import * as contract from '@svc/contract';
import {
  expectedVersion,
  type Route,
  readRoute,
  route,
  setVersionTag,
  unlessKnown,
} from '../../platform/http/index.ts';
import type { MigrationExecutionsService } from './executions/service.ts';
import type { MigrationPreviewsService } from './preview/service.ts';
import type { MigrationsService } from './service.ts';

/** Routes of data migration, registered only while it is enabled. */
export function migrationRoutes(services: {
  readonly migrations: MigrationsService;
  readonly executions: MigrationExecutionsService;
  readonly previews: MigrationPreviewsService;
}): Route[] {
  const { migrations, executions, previews } = services;
  return [
    readRoute(contract.listMigrationDataSources, async ({ query }) => migrations.dataSources(query)),
    route(contract.listMigrationTables, async ({ params }) => previews.tables(params.id)),
    route(contract.previewMigration, async (context) =>
      previews.preview(context, context.body, context.signal),
    ),
    readRoute(contract.listMigrationJobs, async ({ query }) => migrations.list(query)),
    route(contract.createMigrationJob, async (context) => {
      const created = await migrations.create(context, context.body);
      context.reply.header('location', `/svc/api/migrations/jobs/${created.id}`);
      setVersionTag(context.reply, created.version);
      return created;
    }),
    route(contract.getMigrationJob, async ({ params, reply }) => {
      const job = await migrations.get(params.id);
      setVersionTag(reply, job.version);
      return job;
    }),
    route(contract.updateMigrationJob, async (context) => {
      const { params, body, request, reply } = context;
      const changed = await migrations.update(context, params.id, body, expectedVersion(request));
      setVersionTag(reply, changed.version);
      return changed;
    }),
    route(contract.archiveMigrationJob, async (context) => {
      await migrations.archive(context, context.params.id);
      return undefined;
    }),
    route(contract.validateMigrationJob, async ({ params, signal }) =>
      migrations.validate(params.id, signal),
    ),
    route(contract.runMigrationJob, async (context) => {
      const started = await executions.run(context, context.params.id, context.body.isTrial ?? false);
      context.reply.header('location', `/svc/api/migrations/executions/${started.executionId}`);
      return started;
    }),
    readRoute(contract.listMigrationExecutions, async ({ query }) => executions.list(query)),
    route(contract.getMigrationExecution, async ({ params, request, reply }) =>
      unlessKnown(request, reply, await executions.get(params.id)),
    ),
    route(contract.cancelMigrationExecution, async (context) =>
      executions.cancel(context, context.params.id),
    ),
    route(contract.retryMigrationExecution, async (context) => {
      const started = await executions.retry(context, context.params.id);
      context.reply.header('location', `/svc/api/migrations/executions/${started.executionId}`);
      return started;
    }),
    readRoute(contract.listRejectedRows, async ({ params, query }) => executions.rejected(params.id, query)),
  ];
}
