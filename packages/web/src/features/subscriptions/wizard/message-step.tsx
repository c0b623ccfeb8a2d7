import type { Query } from '@svc/contract';
import { Step } from '../../../ui/frame/flow-steps.tsx';
import type { StepProps } from './choices.ts';
import { MessageFields } from './fields/message-fields.tsx';

/** Step for the trigger and the content of the message. */
export const MessageStep = (props: StepProps & { readonly query: Query | undefined }) => (
  <Step title="When should it alert, and with what?">
    <MessageFields {...props} />
  </Step>
);
