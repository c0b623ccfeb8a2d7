import type { Jobs } from '@svc/jobs';
import { createNoticesService, type NoticesService, noticeRoutes } from '../../domains/notices/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import type { Notify } from '../../domains/realtime/index.ts';
import type { Send } from '../../gateways/send/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

export type NoticesModule = Module & { readonly notices: NoticesService };

/** Composes notices to users about their responsibilities and their followed objects. */
export function composeNotices(
  { database, log, email }: Infrastructure,
  deps: {
    readonly jobs: Jobs;
    readonly notify: Notify;
    readonly send: Send;
    readonly baseUrl: () => Promise<string | undefined>;
  },
): NoticesModule {
  const { jobs, notify, send, baseUrl } = deps;
  const notices = createNoticesService({
    database,
    log,
    jobs,
    send,
    baseUrl,
    rights: projectRights,
    hasMail: email !== undefined,
    noticesCreated: notify.noticesCreated,
  });
  return { notices, routes: noticeRoutes(notices) };
}
