import type { Delivery, Preview } from '../channel.ts';
import type { Message } from './message.ts';
import { fillTemplate, isJson } from './template.ts';

/**
 * Returns the body of a chat message: the filled template if it is a JSON object, else the channel's default body
 * (SECURITY R10). A chat refuses anything but a JSON object, so that the delivery would fail.
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
