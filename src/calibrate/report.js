/** x */
export async function printCalibration() {}
