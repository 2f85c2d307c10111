import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Changes of known kind, by variables of the environment: what `benchfolio calibrate` tries a duet with. Without any of them the
 * service is as it is.
 */
final class Changes {
    /** Of the pool that answers requests. */
    final int threads = number("THREADS", 200);

    private final int loops = number("ADDED_LOOPS", 0);
    private final int leakBytes = number("LEAK_BYTES", 0);
    private final int leakThreadEvery = number("LEAK_THREAD_EVERY", 0);
    private final int queryMs = number("QUERY_MS", 0);
    private final Semaphore pool = new Semaphore(number("POOL", 1), true);
    private final int lockMs = number("LOCK_MS", 0);
    private final int lockEvery = number("LOCK_EVERY", 1);
    private final Object lock = new Object();
    private final int stallEveryS = number("STALL_EVERY_S", 0);
    private final int stallMs = number("STALL_MS", 0);
    private final AtomicLong requests = new AtomicLong();
    private final List<byte[]> leaked = new ArrayList<>();
    private volatile int kept; // so that work is not optimized away

    /** What is done before a request is answered. */
    void before() {
        long request = requests.incrementAndGet();
        if (loops > 0) work();
        if (leakBytes > 0) leak();
        if (leakThreadEvery > 0 && request % leakThreadEvery == 0) leakThread();
        if (queryMs > 0) query();
        if (lockMs > 0) hold(request);
        if (stallEveryS > 0) stall();
    }

    private void work() {
        int sum = kept;
        for (int i = 0; i < loops; i++) sum = sum * 31 + i;
        kept = sum;
    }

    private void leak() {
        synchronized (leaked) {
            leaked.add(new byte[leakBytes]);
        }
    }

    private static void leakThread() {
        Thread thread = new Thread(() -> sleep(3_600_000));
        thread.setDaemon(true);
        thread.start();
    }

    /** A query that takes a connection of a pool for so long, as of a database. */
    private void query() {
        pool.acquireUninterruptibly();
        sleep(queryMs);
        pool.release();
    }

    /** All requests pass a lock; each nth holds it for so long, as to write something down. */
    private void hold(long request) {
        synchronized (lock) {
            if (request % lockEvery == 0) sleep(lockMs);
        }
    }

    /** Every few seconds nothing goes on for a while, as when something is tidied up. */
    private void stall() {
        long into = System.currentTimeMillis() % (1000L * stallEveryS);
        if (into < stallMs) sleep(stallMs - into);
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static int number(String name, int otherwise) {
        String value = System.getenv(name);
        return value == null ? otherwise : Integer.parseInt(value);
    }
}
