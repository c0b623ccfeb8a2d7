/** Marks the schema of an object whose refusals name its members. */
const listsMembers = 'x-lists-members';

/**
 * Returns the message about a member that an object does not have.
 *
 * @param parentSchema Schema of the object.
 */
export function unknownMemberMessage(parentSchema: unknown): string {
  const { [listsMembers]: isListed, properties } = Object(parentSchema) as Record<string, unknown>;
  const members = Object.keys(Object(properties));
  return isListed === true ? `is not known here. Known members: ${members.join(', ')}` : 'is not known here';
}
