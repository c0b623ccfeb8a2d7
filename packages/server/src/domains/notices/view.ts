import { noticeSubjectKinds } from '@svc/contract';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import type { NoticeView } from './store.ts';
import { permissionOf } from './subjects.ts';

/** Returns the notices that a user may see now. */
export const viewOf = async (
  executor: Executor,
  rights: Pick<ProjectRights, 'noticeableIds'>,
  caller: Caller,
  userId: number,
): Promise<NoticeView> => ({
  userId,
  projectIds: await rights.noticeableIds(executor, caller),
  kinds: noticeSubjectKinds.filter((kind) => {
    const permission = permissionOf[kind];
    return permission === null || holds(caller, permission);
  }),
});
