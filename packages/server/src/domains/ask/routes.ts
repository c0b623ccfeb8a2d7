import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { AskService } from './service.ts';

export const askRoutes = (ask: AskService): Route[] => [
  route(contract.listConversations, ({ caller, query }) => ask.list(caller, query)),
  route(contract.createConversation, async ({ caller, body, reply }) => {
    const conversation = await ask.create(caller, body.projectId);
    reply.header('location', `/svc/api/ask/conversations/${conversation.id}`);
    return conversation;
  }),
  route(contract.getConversation, ({ caller, params }) => ask.get(caller, params.id)),
  route(contract.deleteConversation, async ({ caller, params }) => {
    await ask.delete(caller, params.id);
    return undefined;
  }),
  route(contract.askQuestion, async (context) => {
    const answer = await ask.ask(context, context.params.id, context.body);
    context.reply.header('location', `/svc/api/ask/answers/${answer.id}`);
    return answer;
  }),
  route(contract.getAnswer, ({ caller, params }) => ask.answer(caller, params.id)),
  route(contract.runAnswer, ({ caller, params, signal }) => ask.run(caller, params.id, signal)),
  route(contract.explainAnswer, (context) => ask.explain(context, context.params.id, context.signal)),
  route(contract.cancelAnswer, async ({ caller, params }) => {
    await ask.cancel(caller, params.id);
    return undefined;
  }),
  route(contract.giveFeedback, async (context) => {
    await ask.feedback(context, context.params.id, context.body);
    return undefined;
  }),
];
