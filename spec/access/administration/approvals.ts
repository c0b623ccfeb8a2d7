import { but, row } from '../expectation.ts';
import { adminsAnd } from '../presets.ts';

const approvers = adminsAnd('approver');

/** Approvals of queries and of changed recipients. Another user made the request. */
export const approvalRows = [
  row('GET /svc/api/approvals/pending', approvers, 'Reading approvals admits an Approver.'),
  row('GET /svc/api/approvals/{id}', approvers, 'Reading approvals admits an Approver.'),
  row('POST /svc/api/approvals/{id}/approve', approvers, 'Approving needs an Approver.'),
  row('POST /svc/api/approvals/{id}/reject', approvers, 'Rejecting needs an Approver.'),
  row(
    'POST /svc/api/approvals/{id}/compare',
    but(adminsAnd(), { approver: 404 }),
    'Rows are for those who read the project: an Approver without a role there finds no such request.',
  ),
  row(
    'GET /svc/api/approvals/changes',
    approvers,
    'Change requests are visible to Approvers and Admins only.',
  ),
  row(
    'GET /svc/api/approvals/changes/{id}',
    approvers,
    'Change requests are visible to Approvers and Admins only.',
  ),
  row('POST /svc/api/approvals/changes/{id}/approve', approvers, 'Approving needs an Approver.'),
  row('POST /svc/api/approvals/changes/{id}/reject', approvers, 'Rejecting needs an Approver.'),
  row(
    'POST /svc/api/approvals/changes/{id}/withdraw',
    adminsAnd('securityAdmin'),
    'Whoever changed the recipient takes the change back: an Admin or a SecurityAdmin.',
    { variant: "the caller's own" },
  ),
] as const;
