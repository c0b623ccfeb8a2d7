/** Fact of a notice that another user received instead of the owner. It does not describe the event. */
export const standInFact = 'isStandIn';
