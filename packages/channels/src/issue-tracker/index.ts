import type { Channel, ChannelAnswer } from '../channel.ts';
import { type Message, singleLine, sourceName } from '../message/message.ts';
import { type DeliveryNote, type DeliveryOutcome, failureOfStatus } from '../outcome.ts';
import { outcomeOf } from '../post-json.ts';
import {
  createIssueTrackerApi,
  type IssueTrackerApi,
  readFoundIssue,
  readIssueKey,
  readJson,
  refusesField,
  searchBody,
} from './api.ts';
import { parseIssueTrackerDestination } from './destination.ts';
import { issueDocument, issueSummary } from './document.ts';

const label = sourceName;

function issueFields(message: Message, projectKey: string): Record<string, unknown> {
  return {
    project: { key: projectKey },
    issuetype: { name: 'Task' },
    summary: issueSummary(message),
    labels: [label],
    priority: { name: 'Medium' },
    description: issueDocument(message),
  };
}

async function createIssue(
  api: IssueTrackerApi,
  message: Message,
  projectKey: string,
): Promise<ChannelAnswer> {
  const fields = issueFields(message, projectKey);
  const answer = await api.post('/issue', { fields });
  // Some projects have no priority field. The tracker then creates nothing and names the refused field.
  if (!answer.ok || answer.status !== 400 || !refusesField(answer.body, 'priority')) return answer;
  const { priority: _priority, ...rest } = fields;
  return api.post('/issue', { fields: rest });
}

const addComment = (api: IssueTrackerApi, issueKey: string, message: Message) =>
  api.post(`/issue/${issueKey}/comment`, { body: issueDocument(message) });

/** Returns the outcome of a failed search. A search delivers nothing, so nothing can have arrived. */
function unanswered(answer: ChannelAnswer): DeliveryOutcome {
  const outcome = outcomeOf(answer, []);
  if (outcome.outcome === 'Failed') return { ...outcome, mayHaveArrived: false };
  const { bytesSent, durationMs } = outcome;
  return { outcome: 'Failed', reason: 'DeliveryFailed', mayHaveArrived: false, bytesSent, durationMs };
}

const withId = (outcome: DeliveryOutcome, messageId: string): DeliveryOutcome =>
  outcome.outcome === 'Sent' ? { ...outcome, messageId } : outcome;

/**
 * A cloud issue tracker: comments on the earlier issue of the query. Without one, it creates an issue and adds the same
 * content as its first comment (spec 3 section 5.1). A failed search creates nothing, because the issue could be a
 * duplicate.
 */
export const issueTrackerChannel: Channel = {
  type: 'IssueTracker',
  preview: ({ message, destination: text }) => {
    const destination = text === undefined ? undefined : parseIssueTrackerDestination(text);
    const projectKey = destination?.ok ? destination.value.projectKey : '';
    return {
      contentType: 'application/json',
      body: JSON.stringify({ fields: issueFields(message, projectKey) }),
      isDefault: true,
    };
  },
  deliver: async ({ message, destination: text }, { request, warn }): Promise<DeliveryOutcome> => {
    const destination = parseIssueTrackerDestination(text);
    if (!destination.ok)
      return {
        outcome: 'Failed',
        reason: 'DestinationNotAllowed',
        mayHaveArrived: false,
        bytesSent: 0,
        durationMs: 0,
      };
    const { projectKey } = destination.value;
    const api = createIssueTrackerApi(destination.value, request);
    const notes: DeliveryNote[] = [];
    if (message.attachment) {
      warn('An issue tracker carries no attachment; the message goes without it.');
      notes.push('AttachmentNotSent');
    }
    const search = await api.post(
      '/search/jql',
      searchBody(projectKey, label, singleLine(message.subscriptionName)),
    );
    const isAnswered = search.ok && search.status >= 200 && search.status < 300;
    const earlier = isAnswered ? readFoundIssue(search.body, issueSummary(message)) : undefined;
    if (earlier === undefined) return unanswered(search);
    if (earlier !== null) {
      const comment = await addComment(api, earlier, message);
      // The issue may be deleted between the search and the comment. Then a new issue is created.
      if (!comment.ok || comment.status !== 404) return withId(outcomeOf(comment, notes), earlier);
    }
    const created = await createIssue(api, message, projectKey);
    const key = created.ok ? readIssueKey(readJson(created.body)) : undefined;
    const outcome = outcomeOf(created, notes);
    if (outcome.outcome === 'Failed' || key === undefined) return outcome;
    // The issue already contains everything. A failed comment only adds a note to the run's comment.
    const comment = await addComment(api, key, message);
    const isAdded = comment.ok && failureOfStatus(comment.status) === undefined;
    return { ...outcome, messageId: key, notes: isAdded ? notes : [...notes, 'CommentNotAdded'] };
  },
};
