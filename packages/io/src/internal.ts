// What the other packages of htskit share with this one. It has no stable interface.

export { decodeAscii } from '#decode-utf8';
export { collectChunks, readFromStart, sliceChunks, startByteStream } from './byte-stream.js';
export { writeBase64Url } from './bytes.js';
export { startBackgroundTimer, startTimer } from './clock.js';
export { loopTurns, TurnScheduler, yieldToEventLoop } from './event-loop.js';
export { firstIndex } from './first-index.js';
export { mapInOrder } from './map-in-order.js';
export { GrowingBytes } from './memory/growing-bytes.js';
export { growBytes, MemoryAccount, type MemoryShare } from './memory/memory-budget.js';
export { checkReplaced } from './object-store.js';
export { onAbort, unlessAborted } from './on-abort.js';
export { toAbortedError, unlessMissing } from './storage-error.js';
export { companionPathOf, ENCRYPTED_EXTENSION, isEncryptedPath, plainPathOf } from './text/encrypted-path.js';
export { characterStart } from './text/escaped-text.js';
export { decodePercents, encodePercents } from './text/percent-text.js';
export { finishSteps, type Steps, TimeSlice } from './time-slice.js';
