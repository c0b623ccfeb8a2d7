import { createDemo, type Demo } from '../domains/demo/index.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { ProjectsPart } from './projects.ts';
import type { QueriesPart } from './queries.ts';
import type { RecipientsPart } from './recipients.ts';
import type { SubscriptionsPart } from './subscriptions.ts';

/** The demo project, made of what everybody else uses. */
export const composeDemo = (
  { database }: Ground,
  parts: {
    readonly projects: ProjectsPart;
    readonly sources: DataSourcesPart;
    readonly queries: QueriesPart;
    readonly recipients: RecipientsPart;
    readonly subscriptions: SubscriptionsPart;
  },
): Demo =>
  createDemo({
    database,
    projects: parts.projects.projects,
    links: parts.projects.links,
    dataSources: parts.sources.dataSources,
    queries: parts.queries.queries,
    recipients: parts.recipients.recipients,
    subscriptions: parts.subscriptions.subscriptions,
  });
