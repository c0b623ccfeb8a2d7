/** Fact of a notice that went to somebody in the owner's place; it says nothing of what happened. */
export const standInFact = 'isStandIn';
