import ws from 'k6/ws';
import { jsonAt } from '../shared/json-at.js';
import { compileTemplate } from '../shared/placeholders.js';
import { addressOf, compileHeaders, counted, noAnswer } from './protocol.js';

/** @import { PlannedRequest } from '../plan/requests.js' */
/** @import { RequestTarget, Sending, User } from './requests.js' */

/**
 * Compiles a session of WebSockets: it connects, sends each message when the one before is answered, and closes.
 * @param {PlannedRequest} request
 * @param {RequestTarget} target
 * @param {User} user
 * @returns {Sending}
 */
export function compileSession({ url, headers, statuses, messages, answers, timeout_ms }, target, user) {
  const { origin, path, address, isSecure } = addressOf(url, target, user.values);
  const to = `${isSecure ? 'wss' : 'ws'}://${address}${path}`;
  const texts = messages.map((text) => compileTemplate(text, user.values));
  const headersOf = compileHeaders(headers, user.values);
  return {
    address: null,
    perform: counted(statuses, () => {
      const sent = headersOf();
      let next = 0;
      let awaited = 0;
      let count = 0;
      let last = '';
      /** @type {string | null} */
      let problem = null;
      const response = ws.connect(to, { headers: sent }, (socket) => {
        const goOn = () => {
          if (awaited > 0) return;
          while (next < texts.length) {
            const text = texts[next];
            socket.send(typeof text === 'string' ? text : text());
            next += 1;
            awaited = answers;
            if (awaited > 0) return;
          }
          socket.close();
        };
        const answered = (/** @type {string} */ text) => {
          last = text;
          count += 1;
          awaited -= 1;
          goOn();
        };
        socket.setTimeout(() => {
          problem = `no answer to message ${next} of ${texts.length} within ${timeout_ms / 1000} s`;
          socket.close();
        }, timeout_ms);
        socket.on('open', () => {
          if (texts.length === 0) awaited = answers;
          goOn();
        });
        socket.on('message', answered);
        socket.on('binaryMessage', () => answered(''));
        socket.on('close', () => {
          if (awaited > 0) problem ??= `the server closed after ${count} answers, before message ${next} was answered`;
        });
        socket.on('error', (error) => {
          if (awaited > 0) problem ??= error.error();
        });
      });
      if (problem !== null) throw noAnswer(problem);
      return /** @type {any} */ ({
        status: response.status,
        headers: response.headers,
        body: last,
        timings: { receiving: 0 },
        request: { method: 'WEBSOCKET', url: origin + path, headers: sent, body: messages.join('\n') },
        json: (/** @type {string} */ jsonPath) => jsonAt(parsed(last), jsonPath),
      });
    }),
    follow: (first) => first,
  };
}

/** @param {string} text @returns {unknown} undefined: it is not JSON */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
