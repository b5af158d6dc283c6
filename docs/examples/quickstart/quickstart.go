// Buys airtime, repeats an order whose answer was lost, follows a pending one. Needs Go 1.19 or
// later, and MANILLA_URL, MANILLA_IDENTITY, MANILLA_KEY, MANILLA_CA (`ca.pem` of the data folder).
package main

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

const (
	patience   = 30 * time.Second // the gateway waits up to 20 s for the outcome of a payment
	limit      = 2 * time.Minute
	buyPath    = "/payment/airtime"
	reportPath = "/payment/airtime/transaction?mrcReference="
)

// Order has the attributes of a purchase.
type Order map[string]any

// Answer has what is used here of any answer. Amounts stay texts: a float is not exact.
type Answer struct {
	Code                                                          int
	Message, MrcReference, TxnStatus, Price, Currency, AccBalance string
	TxnReference                                                  int64
	Statements                                                    []any
	Errors                                                        json.RawMessage
}

var transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: x509.NewCertPool()}}

// send sends one request, a POST if there is an order, and reads the answer and its Retry-After.
func send(path string, order Order, key any, timeout time.Duration) (it Answer, wait int, e error) {
	method, body := http.MethodGet, []byte(nil)
	if order != nil {
		method = http.MethodPost
		body, _ = json.Marshal(order)
	}
	request, err := http.NewRequest(method, os.Getenv("MANILLA_URL")+path, bytes.NewReader(body))
	if err != nil {
		return it, 0, err
	}
	request.SetBasicAuth(os.Getenv("MANILLA_IDENTITY"), os.Getenv("MANILLA_KEY"))
	request.Header.Set("Content-Type", "application/json")
	if key != nil {
		request.Header.Set("Idempotency-Key", fmt.Sprint(key))
	}
	client := http.Client{Transport: transport, Timeout: timeout}
	response, err := client.Do(request)
	if err != nil {
		return it, 0, err
	}
	defer response.Body.Close()
	wait, _ = strconv.Atoi(response.Header.Get("Retry-After"))
	err = json.NewDecoder(response.Body).Decode(&it)
	it.Code = response.StatusCode
	return it, wait, err
}

// ask sends a request until it is answered. A lost answer or a 5xx does not say that nothing was
// bought: the same order is sent again under the same key, never one with a new reference.
func ask(path string, order Order, key any, timeout, limit time.Duration, codes ...int) Answer {
	end := time.Now().Add(limit)
	for pause := 1; ; pause = next(pause) {
		it, wait, err := send(path, order, key, timeout)
		// A 409 with Retry-After: the first request under the key is still in progress.
		later := wait > 0 && (it.Code == 409 || it.Code == 429)
		if err == nil && it.Code < 500 && !later {
			for _, code := range codes {
				if it.Code == code {
					return it
				}
			}
			log.Fatalf("error: %d %s %s", it.Code, it.Message, it.Errors)
		}
		if err == nil {
			err = fmt.Errorf("%s answered %d", path, it.Code)
		}
		if wait == 0 {
			wait = pause
		}
		if time.Now().Add(time.Duration(wait) * time.Second).After(end) {
			log.Fatalf("error: %v; only its report has the outcome of an order", err)
		}
		fmt.Printf("repeat: %v, the same request is sent again in %d s\n", err, wait)
		time.Sleep(time.Duration(wait) * time.Second)
		timeout = patience
	}
}

func next(pause int) int {
	if pause < 8 {
		return 2 * pause
	}
	return pause
}

func get(path string) Answer { return ask(path, nil, nil, patience, limit, 200) }

// airtime is an order. Store it before you send it, so that after a crash the same one is sent.
func airtime(number, amount, billing string) Order {
	reference := make([]byte, 16)
	rand.Read(reference)
	return Order{"mrcReference": fmt.Sprintf("order-%x", reference), "countryCode": 566,
		"number": number, "amount": amount, "billing": billing}
}

// buy buys, and reads the report until it is final: Pending is not failed, and not bought anew.
func buy(order Order, timeout time.Duration) Answer {
	key, end := order["mrcReference"], time.Now().Add(limit)
	bought := ask(buyPath, order, key, timeout, limit, 200, 202)
	for pause := 1; bought.TxnStatus == "Pending" && time.Now().Before(end); pause = next(pause) {
		fmt.Printf("pending: %s, its report is read in %d s\n", key, pause)
		time.Sleep(time.Duration(pause) * time.Second)
		bought = get(reportPath + bought.MrcReference)
	}
	if bought.TxnStatus != "Successful" { // still Pending, perhaps: a webhook has the rest
		log.Fatalf("error: %s is %s", key, bought.TxnStatus)
	}
	return bought
}

func main() {
	log.SetFlags(0)
	authorities, err := os.ReadFile(os.Getenv("MANILLA_CA"))
	if err != nil {
		log.Fatalln("error: MANILLA_CA:", err)
	}
	transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(authorities)

	// Not repeated: it shows at once whether the address, the certificate and the key are right.
	ask("/account/balance", nil, nil, patience, 0, 200)

	bought := buy(airtime("2348031234567", "100.00", "prepaid"), patience)
	fmt.Printf("bought: %s for %s %s\n", bought.MrcReference, bought.Price, bought.Currency)
	fmt.Printf("report: it is %s\n", get(reportPath+bought.MrcReference).TxnStatus)

	// This answer takes some seconds and is waited for one second only, as if it were lost.
	order := airtime("2348031230002", "100.00", "prepaid")
	first, again := buy(order, time.Second), buy(order, patience)
	statement := get("/account/statement?mrcReference=" + first.MrcReference).Statements
	if first.TxnReference != again.TxnReference || len(statement) != 1 {
		log.Fatalln("error: the order was bought twice")
	}
	fmt.Printf("repeated: transaction %d both times, charged once\n", first.TxnReference)
	known := ask(buyPath, order, nil, patience, limit, 422)
	fmt.Printf("repeated: %s (without an Idempotency-Key)\n", known.Message)

	slow := buy(airtime("2348031230007", "100.00", "prepaid"), patience)
	fmt.Printf("final: %s is Successful\n", slow.MrcReference)

	mistaken := airtime("2348031234567", "1e5", "monthly")
	refused := ask(buyPath, mistaken, mistaken["mrcReference"], patience, limit, 400)
	var errors struct{ Params map[string][]string }
	json.Unmarshal(refused.Errors, &errors)
	for name, sentences := range errors.Params {
		for _, sentence := range sentences {
			fmt.Printf("refused: %s: %s\n", name, sentence)
		}
	}

	fmt.Printf("balance: %s NGN\n", get("/account/balance").AccBalance)
}
