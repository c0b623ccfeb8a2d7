import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { QueryApprovalsService } from './service.ts';

export const queryApprovalRoutes = (service: QueryApprovalsService): Route[] => [
  route(contract.getApproval, async ({ caller, params }) => service.get(caller, params.id)),
  route(contract.approveQuery, async (context) => {
    const { approvalHash, comment } = context.body;
    await service.approve(context, 'Query', context.params.id, {
      hash: approvalHash,
      comment: comment?.trim() || null,
    });
    return undefined;
  }),
  route(contract.rejectQuery, async (context) => {
    await service.reject(context, 'Query', context.params.id, context.body.comment.trim());
    return undefined;
  }),
  route(contract.compareApproval, async ({ caller, params, body, signal }) =>
    service.compare(caller, params.id, body.parameters ?? {}, signal),
  ),
];
