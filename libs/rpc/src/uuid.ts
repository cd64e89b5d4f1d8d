// No flag for letter case: a reference shows the bare pattern.
/** A UUID as text: of any version and variant, in any letter case, as PostgreSQL takes it. One that nothing has is unknown, not malformed. */
export const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Whether a text is a UUID. */
export const isUuid = (text: string | undefined): text is string => text !== undefined && UUID.test(text);
