import type { Delivery, Preview } from './channel.ts';
import type { Message } from './message.ts';
import { fillTemplate, isJson } from './template.ts';

/**
 * The body of a chat message: the template when it produces JSON, else the channel's default body (SECURITY R10). A
 * chat refuses what is no JSON object, so sending it would only turn into a failed delivery.
 */
export function chatBody(
  { message, bodyTemplate, numbers }: Pick<Delivery, 'message' | 'bodyTemplate' | 'numbers'>,
  makeDefault: (message: Message) => string,
): Preview {
  const filled = bodyTemplate ? fillTemplate(bodyTemplate, message, numbers) : undefined;
  const usable = filled?.trimStart().startsWith('{') && isJson(filled) ? filled : undefined;
  return {
    contentType: 'application/json',
    body: usable ?? makeDefault(message),
    isDefault: usable === undefined,
  };
}
