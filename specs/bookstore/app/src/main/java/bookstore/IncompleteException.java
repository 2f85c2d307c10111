package bookstore;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** The user has left something out. */
@ResponseStatus(HttpStatus.BAD_REQUEST)
class IncompleteException extends RuntimeException {

    IncompleteException(String message) {
        super(message);
    }
}
