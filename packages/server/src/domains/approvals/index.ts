export { type ChangeRequests, createChangeRequests, isRequester, type WaitingRequest } from './requests.ts';
export { approvalRoutes } from './routes.ts';
export { type ApprovalsService, createApprovalsService } from './service.ts';
export type {
  ChangeSubject,
  Present,
  QueryReview,
  RecipientReview,
  WaitingChange,
  WithdrawableSubject,
} from './subject.ts';
