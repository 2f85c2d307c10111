/** @param {string} text @returns {string} with a capital */
export const asSentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
