import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { ApprovalsService } from './service.ts';

/** Returns null for a comment of spaces only. */
const commentOf = (text: string | null | undefined): string | null => text?.trim() || null;

export const approvalRoutes = (service: ApprovalsService): Route[] => [
  route(contract.listChanges, async ({ caller, query }) => service.list(caller, query)),
  route(contract.listPendingApprovals, async ({ caller, query }) =>
    service.list(caller, { ...query, status: 'Pending' }),
  ),
  route(contract.getChange, async ({ caller, params }) => service.get(caller, params.id)),
  route(contract.approveChange, async (context) => {
    const { changeHash, comment } = context.body;
    await service.approve(context, 'Recipient', context.params.id, {
      hash: changeHash,
      comment: commentOf(comment),
    });
    return undefined;
  }),
  route(contract.rejectChange, async (context) => {
    await service.reject(context, 'Recipient', context.params.id, commentOf(context.body.comment));
    return undefined;
  }),
  route(contract.withdrawChange, async (context) => {
    await service.withdraw(context, context.params.id);
    return undefined;
  }),
];
