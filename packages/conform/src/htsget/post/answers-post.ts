import { type HtsgetSubject, postTicket } from '../htsget-subject.js';

/** Why a rule about POST does not apply. */
export const NO_POST = 'the service does not answer POST, which is optional';

/** Returns whether a service answers POST: not by 404, 405 or 501. */
export async function answersPost(subject: HtsgetSubject): Promise<boolean> {
  const { status } = await postTicket(subject, { class: 'header' });
  return ![404, 405, 501].includes(status);
}
